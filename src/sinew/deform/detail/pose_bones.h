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

// How many of something there are for each bone if the last eight bones are complete.
inline std::size_t padded_count(std::size_t bones) { return (bones + 7) / 8 * 8; }

// Where a bone's twist angle is, `which` of the three of PosedRig: eight bones side by side.
inline std::size_t angle_index(std::size_t bone, std::size_t which) {
  return bone / 8 * 24 + which * 8 + bone % 8;
}

// Fills all of `bones` that `detail` asks for, but neither squashed nor scaled to their tails.
// There is room for padded_count() bones and three times as many angles, which are followed from
// what they are.
void pose_bones(const RigPlan::Data& plan, BoneDetail detail, std::span<const Affine> globals,
                std::span<const TailStretch> tails, std::span<BoneState> bones,
                std::span<double> angles);

}  // namespace sinew::detail
