// SPDX-License-Identifier: Apache-2.0
// Fills a PackedPose for the skinning methods.
#pragma once

#include <span>

#include "sinew/kernels/bound_method.h"
#include "sinew/kernels/detail/pose.h"

namespace sinew::kernels {

// The functions `prepare`, `fill`, `fill_lanes` and `fill_surface` of a TileKernel.
void prepare_skinning(const PackedRig& rig, const PackedPlan& plan, PackedPose& pose);
void fill_skinning(const PackedRig& rig, const PackedPlan& plan, std::span<const BoneState> bones,
                   PackedPose& pose);
void fill_skinning_lanes(const PackedPlan& plan, const PosedLanes& bones, PackedPose& pose);
void fill_skinning_surface(PackedPose& pose);

// Sets in_hemisphere from the arcs.
void find_hemispheres(PackedPose& pose);

}  // namespace sinew::kernels
