// SPDX-License-Identifier: Apache-2.0
// Parts that should move with their bone and not within themselves: hands, feet and heads, which
// are rigid, and trunks, which may bend but not turn about their bone.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"

namespace sinew {

enum class PartKind {
  limb,   // may be bent, stretched and twisted: an arm, a spine, a finger
  end,    // a hand, a foot, a head
  trunk,  // where several limbs meet: chest, hips
};

// By the skeleton alone. Of a bone's children those do not count that end there and start on its
// axis between its ends (helpers). An end part hangs on another bone and
// - has no children, and is not the last of a chain of near-equals in line (a tail, a tentacle), or
// - has several, all of which reach no farther than twice its own length, and of which none or at
//   least two have children themselves (a palm with fingers, a head with eyes), or
// - has one that reaches no farther than itself, and stands at an angle of more than 45 degrees to
//   its parent (a foot with toes).
// A trunk has several children, of which none or at least two have children, and is no end part.
std::vector<PartKind> part_kinds(const Skeleton& skeleton);

// What a pose does to the skin that a bone does not share: the vertices at which it has nine
// tenths of the weight.
struct PartError {
  int bone = 0;
  PartKind kind = PartKind::end;
  std::size_t vertices = 0;
  double size = 0;  // root mean square distance of its vertices from their middle, at rest
  // Of the distances from the rigid motion that fits best, relative to size: root mean square, and
  // the largest. Scale that the pose puts on the bone itself is no error.
  double rms = 0;
  double largest = 0;
  // How far its skin is turned about the bone, against the bone: of its cross-sections the one
  // that is turned farthest. Radians, never negative.
  double turn = 0;
};

struct PartErrors {
  // One for each end part and trunk with at least three such vertices that do not all lie in one
  // place. A bone that the pose makes longer or shorter than its scale does, by more than a
  // hundredth, is left out: its skin has to follow.
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
