// SPDX-License-Identifier: Apache-2.0
// Cross-sections of limbs: their thickness and rotation after a deformation.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skin/weights.h"

namespace sinew {

// The points where the plane perpendicular to a bone at `t` (0: head, 1: tail) cuts the limb at
// rest, compared with the same surface points in the pose.
struct Section {
  double t = 0;
  // Root mean square distance of the points from their centroid, in 3D, relative to rest.
  double radius = 1;
  // The best-fitting rotation about the bone (radians, any real number), seen along the posed bone
  // from its head, in addition to the `rotation` of its state. Empty if the points have collapsed
  // or do not determine it.
  std::optional<double> turn;
};

// A bone is cut at the ends of so many equal parts of its length.
inline constexpr int section_intervals = 20;

// The triangles that a bone's sections cut: those at all of whose corners the bone has ...
enum class SectionSkin {
  limb,  // ... at least a tenth of the weight, or the largest weight: all skin that moves with it
  own,   // ... at least nine tenths of the weight: skin not blended with other bones
};

// For each bone, the sections at t = 0, 1/20, ... 1 that cut its skin. Sections thinner than a
// twentieth of the bone's thickest are left out. Turns are unwrapped from one section to the next:
// they never jump by more than half a turn. `states` has one entry per bone of the skeleton that
// the weights belong to.
//
// Throws UsageError where numbers of positions, rows or bones differ, InputError for an index out
// of range or a coordinate that is not finite.
std::vector<std::vector<Section>> bone_sections(const std::vector<Triangle>& triangles,
                                                const Weights& weights,
                                                std::span<const BoneState> states,
                                                const std::vector<Vec3>& rest,
                                                const std::vector<Vec3>& deformed,
                                                SectionSkin skin = SectionSkin::limb);

}  // namespace sinew
