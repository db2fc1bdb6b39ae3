// SPDX-License-Identifier: Apache-2.0
// Measures parts that should follow their bone: hands, feet and heads, which should stay rigid, and
// trunks, which may bend but not twist about their bone.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/twist_shares.h"
#include "sinew/rig/rig.h"

namespace sinew {

// The error of a pose in a bone's own skin: the vertices with at least nine tenths of their weight
// on that bone.
struct PartError {
  BoneIndex bone = 0;
  BoneRole role = BoneRole::end_part;  // or trunk
  std::size_t vertices = 0;
  // Root mean square distance of its vertices from their centroid at rest, times the scale that the
  // pose gives the bone.
  double size = 0;
  // Root mean square and largest distance from the best-fitting rigid motion, relative to size.
  // Uniform scaling of the bone by the pose is not an error.
  double rms = 0;
  double largest = 0;
  // The largest rotation of one of its cross-sections about the bone, relative to the bone.
  // Radians, never negative.
  double turn = 0;
};

// Of all such parts.
struct PartErrors {
  // One for each trunk and each end part with a parent bone (plan_twists) that has at least three
  // such vertices, not all at one point. Bones that the pose stretches, or scales differently along
  // and across, by more than a hundredth are left out, since their skin has to follow.
  std::vector<PartError> parts;
  // The triangles with all corners in one of these end parts that are displaced: a corner is
  // farther than a quarter of the part's size from where the bone alone would take it. Ascending.
  std::vector<Index> displaced;
};

// `rest` are the positions before skinning, `deformed` those after. Throws UsageError where numbers
// of positions, rows or bones differ, InputError for an index out of range or a coordinate that is
// not finite.
PartErrors part_errors(const Rig& rig, std::span<const BoneState> states,
                       const std::vector<Vec3>& rest, const std::vector<Vec3>& deformed);

}  // namespace sinew
