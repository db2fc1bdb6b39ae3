// SPDX-License-Identifier: Apache-2.0
// A trial bake with one choice of splits, before influences are limited.
#pragma once

#include <span>
#include <vector>

#include "sinew/bake/bake.h"
#include "sinew/bake/detail/measure.h"
#include "sinew/bake/detail/poses.h"
#include "sinew/bake/detail/split.h"

namespace sinew::baking {

// The data shared by the steps of a bake.
struct Work {
  const Rig& source;  // with weights
  const PoseSet& poses;
  const SkinRows& rows;
  const Limbs& limbs;
  std::span<const SplitBone> splits;
};

// The result of splitting a given set of bones, before influences are limited.
struct Trial {
  Baked baked;
  Weights unlimited;
  std::vector<Target> targets;
};

// `targets` belong to the work's poses; their palettes are set to those of the baked rig.
Trial run_trial(const Work& work, std::span<const SplitBone> splits, const BakeOptions& options,
                std::vector<Target> targets);

// The error of the rig's own linear blend skinning. Leaves its palettes in the targets.
double plain_error(const Work& work, std::span<const TestPose> poses, std::span<Target> targets);

}  // namespace sinew::baking
