// SPDX-License-Identifier: Apache-2.0
// From joints' own transforms to world space, and from there to bone states, eight at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/rig_plan.h"
#include "sinew/deform/told_pose.h"

namespace sinew::detail {

// As forward_kinematics(), with the same bits. There is one transform and room for one frame per
// joint.
void pose_joints(const RigPlan::Data& plan, std::span<const Transform> joints,
                 std::span<Affine> globals);

// Fills all of `bones` that `detail` asks for, but neither squashed nor scaled to their tails.
// `angles`: three for each bone, see PosedRig; followed from what they are.
void pose_bones(const RigPlan::Data& plan, BoneDetail detail, std::span<const Affine> globals,
                std::span<const TailStretch> tails, std::span<BoneState> bones,
                std::span<double> angles);

}  // namespace sinew::detail
