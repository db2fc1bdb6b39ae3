// SPDX-License-Identifier: Apache-2.0
// Methods that deform the packed form of a rig, tile by tile.
#pragma once

#include <span>

#include "sinew/kernels/binding.h"
#include "sinew/kernels/detail/job.h"

namespace sinew::kernels {

// The functions that such a method provides.
struct TileKernel {
  // Allocates the pose, and sets the bone that never moves.
  void (*prepare)(const PackedRig& rig, const PackedPlan& plan, PackedPose& pose);
  // Fills the pose. Allocates nothing.
  void (*fill)(const PackedRig& rig, const PackedPlan& plan, std::span<const BoneState> bones,
               PackedPose& pose);
  // Deforms the tiles [begin, end) of one block.
  void (*run)(const Job& job, std::size_t begin, std::size_t end) noexcept;
  // Adds to a filled pose what only normals need; may be null. Allocates nothing.
  void (*fill_surface)(PackedPose& pose) = nullptr;
  // As fill(), from bones side by side; may be null.
  void (*fill_lanes)(const PackedPlan& plan, const PosedLanes& bones, PackedPose& pose) = nullptr;
};

std::unique_ptr<const BoundMethod> bind_tiles(const Binding& binding, PackedPlan plan,
                                              const TileKernel& kernel);

}  // namespace sinew::kernels
