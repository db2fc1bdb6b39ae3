// SPDX-License-Identifier: Apache-2.0
// How far baked skinning is from the truth.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/bake/detail/influences.h"
#include "sinew/bake/detail/poses.h"
#include "sinew/bake/detail/split.h"
#include "sinew/skin/weights.h"

namespace sinew::baking {

// The true result in each pose. Palettes are for the caller to fill in.
std::vector<Target> targets_of(const Rig& rig, const SkinRows& rows,
                               std::span<const TestPose> poses);

struct Errors {
  double largest = 0;                // length
  double largest_share = 0;          // of the limb's radius
  double mean_square = 0;            // of lengths, over all vertices and poses
  std::vector<double> bone_largest;  // per bone of the rig, of the vertices it moves most
  std::vector<double> bone_share;
};

// Linear blend skinning of `weights` with the targets' palettes, against their truth. `rows` and
// `limbs` are of the rig before the bake. Vertices without weights do not count.
Errors measure(const Weights& weights, std::span<const Target> targets, const SkinRows& rows,
               const Limbs& limbs);

}  // namespace sinew::baking
