// SPDX-License-Identifier: Apache-2.0
// What skinning needs of each bone in a pose.
#pragma once

#include <span>

#include "sinew/kernels/detail/pose.h"

namespace sinew::kernels {

// As TileKernel has them.
void prepare_skinning(const PackedRig& rig, const PackedPlan& plan, PackedPose& pose);
void fill_skinning(const PackedRig& rig, const PackedPlan& plan, std::span<const BoneState> bones,
                   PackedPose& pose);

}  // namespace sinew::kernels
