// SPDX-License-Identifier: Apache-2.0
// Methods that deform tile by tile, on the packed form of the rig.
#pragma once

#include <span>

#include "sinew/kernels/binding.h"
#include "sinew/kernels/detail/job.h"

namespace sinew::kernels {

// What such a method brings along.
struct TileKernel {
  // Makes room in the pose, and sets the bone that never moves.
  void (*prepare)(const PackedRig& rig, const PackedPlan& plan, PackedPose& pose);
  // Fills it. Allocates nothing.
  void (*fill)(const PackedRig& rig, const PackedPlan& plan, std::span<const BoneState> bones,
               PackedPose& pose);
  // Deforms the tiles [begin, end), those of a block.
  void (*run)(const Job& job, std::size_t begin, std::size_t end) noexcept;
};

std::unique_ptr<const BoundMethod> bind_tiles(const Binding& binding, PackedPlan plan,
                                              const TileKernel& kernel);

}  // namespace sinew::kernels
