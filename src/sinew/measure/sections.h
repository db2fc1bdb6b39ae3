// SPDX-License-Identifier: Apache-2.0
// Cross-sections of limbs: how thick they are after a deformation, and how far they are turned.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skin/weights.h"

namespace sinew {

// Where the plane across a bone at `t` (0: its head, 1: its tail) cuts the limb at rest. The same
// points of the surface are then looked at in the pose.
struct Section {
  double t = 0;
  // Root mean square distance of the points from their middle, in space, relative to rest.
  double radius = 1;
  // The turn (radians, any real number) about the bone that fits the points best, seen along the
  // posed bone from its head, on top of `rotation` of its state. Missing where they have collapsed
  // or the fit says nothing.
  std::optional<double> turn;
};

// A bone is cut at the ends of so many equal parts of its length.
inline constexpr int section_intervals = 20;

// Which triangles a bone's sections cut: those at all of whose corners it has ...
enum class SectionSkin {
  limb,  // ... a weight of at least a tenth, or the largest: all that moves with it
  own,   // ... nine tenths of the weight: what is blended with no other bone
};

// For each bone, the sections at t = 0, 1/20, ... 1 that cut its skin. Sections thinner than a
// twentieth of the bone's thickest are left out. Turns are continuous from one section to the next:
// they never jump by more than half a turn. `states` must be of the skeleton that the weights are
// for, with one per bone.
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
