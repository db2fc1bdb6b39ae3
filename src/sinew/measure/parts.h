// SPDX-License-Identifier: Apache-2.0
// Parts that should move with their bone and not within themselves: hands, feet and heads, which
// are rigid, and trunks, which may bend but not turn about their bone.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/twist_shares.h"
#include "sinew/rig/rig.h"

namespace sinew {

// What a pose does to the skin that a bone does not share: the vertices at which it has nine
// tenths of the weight.
struct PartError {
  int bone = 0;
  BoneRole role = BoneRole::end_part;  // or trunk
  std::size_t vertices = 0;
  // Root mean square distance of its vertices from their middle, at rest, times what the pose makes
  // the bone larger.
  double size = 0;
  // Of the distances from the rigid motion that fits best, relative to size: root mean square, and
  // the largest. If the pose makes the whole bone larger or smaller, that is no error.
  double rms = 0;
  double largest = 0;
  // How far its skin is turned about the bone, against the bone: of its cross-sections the one
  // that is turned farthest. Radians, never negative.
  double turn = 0;
};

// Of all such parts.
struct PartErrors {
  // One for each end part and trunk (plan_twists) that is not all there is: an end part hangs on
  // another bone. It has at least three such vertices that do not all lie in one place. A bone that
  // the pose stretches, or scales by different factors along and across, by more than a hundredth,
  // is left out: its skin has to follow.
  std::vector<PartError> parts;
  // The triangles of these end parts, all corners of which belong to one, that are not where their
  // bone takes them: a corner lies farther from there than a quarter of the part's size. Ascending.
  std::vector<Index> displaced;
};

// `rest` are the positions before skinning, `deformed` what a method made of them. Throws
// UsageError where numbers of positions, rows or bones differ, InputError for an index out of range
// or a coordinate that is not finite.
PartErrors part_errors(const Rig& rig, std::span<const BoneState> states,
                       const std::vector<Vec3>& rest, const std::vector<Vec3>& deformed);

}  // namespace sinew
