// SPDX-License-Identifier: Apache-2.0
// Measures how far baked skinning is from the true result.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/bake/detail/influences.h"
#include "sinew/bake/detail/poses.h"
#include "sinew/bake/detail/split.h"
#include "sinew/skin/weights.h"

namespace sinew::baking {

// The true result in each pose. The caller fills in the palettes.
std::vector<Target> targets_of(const Rig& rig, const SkinRows& rows,
                               std::span<const TestPose> poses);

struct Errors {
  double largest = 0;                // length
  double largest_share = 0;          // of the limb's radius
  double mean_square = 0;            // of lengths, over all vertices and poses
  std::vector<double> bone_largest;  // per bone of the rig, over the vertices whose main bone it is
  std::vector<double> bone_share;
};

// Compares linear blend skinning with `weights` and the targets' palettes against the true result.
// `rows` and `limbs` are those of the rig before the bake. Vertices without weights are ignored.
Errors measure(const Weights& weights, std::span<const Target> targets, const SkinRows& rows,
               const Limbs& limbs);

}  // namespace sinew::baking
