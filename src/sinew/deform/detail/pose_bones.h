// SPDX-License-Identifier: Apache-2.0
// From joints' own transforms to world space, and from there to bone states, eight at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/lane_states.h"
#include "sinew/deform/rig_plan.h"
#include "sinew/deform/told_pose.h"

namespace sinew::detail {

// As forward_kinematics(), with the same bits. There is one transform and room for one frame per
// joint.
void pose_joints(const RigPlan::Data& plan, std::span<const Transform> joints,
                 std::span<Affine> globals);

// How many of something there are for each bone if the last eight bones are complete.
inline std::size_t padded_count(std::size_t bones) { return (bones + 7) / 8 * 8; }

// Where a bone's twist angle is, `which` of the three of PosedRig: eight bones side by side.
inline std::size_t angle_index(std::size_t bone, std::size_t which) {
  return bone / 8 * 24 + which * 8 + bone % 8;
}

// Sets all of `states` that `detail` asks for, but no bulges, and neither squashed nor scaled to
// their tails. Of states there are an eighth of padded_count() bones, and three times as many
// angles, which are followed from what they are.
void pose_bones(const RigPlan::Data& plan, BoneDetail detail, std::span<const Affine> globals,
                std::span<const TailStretch> tails, std::span<LaneStates> states,
                std::span<double> angles);

// The same bone by bone. There is room for padded_count() bones.
void write_bones(const RigPlan::Data& plan, BoneDetail detail, std::span<const LaneStates> states,
                 std::span<BoneState> bones);

}  // namespace sinew::detail
