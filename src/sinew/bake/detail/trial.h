// SPDX-License-Identifier: Apache-2.0
// A rig with its bones split in one way, before influences are limited.
#pragma once

#include <span>
#include <vector>

#include "sinew/bake/bake.h"
#include "sinew/bake/detail/measure.h"
#include "sinew/bake/detail/poses.h"
#include "sinew/bake/detail/split.h"

namespace sinew::baking {

// Everything that the steps of a bake work on.
struct Work {
  const Rig& source;  // with weights
  const PoseSet& poses;
  const SkinRows& rows;
  const Limbs& limbs;
  std::span<const SplitBone> splits;
};

// Everything that follows from which bones are split, before influences are limited.
struct Trial {
  Baked baked;
  Weights unlimited;
  std::vector<Target> targets;
};

// `targets` are those of the work's poses; they get the palettes of the baked rig.
Trial run_trial(const Work& work, std::span<const SplitBone> splits, const BakeOptions& options,
                std::vector<Target> targets);

// How far the rig's own linear blend skinning is from the truth. Its palettes stay in the targets.
double plain_error(const Work& work, std::span<const TestPose> poses, std::span<Target> targets);

}  // namespace sinew::baking
