// SPDX-License-Identifier: Apache-2.0
// The posed characters that the deformation suite measures.
#pragma once

#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"

namespace sinew::bench {

// The mannequin with at most `influences` bones per vertex, those of the largest weights. Beyond
// 100000 vertices it is repeated, as in a crowd.
Rig character(std::size_t vertices, std::size_t influences);

// The mannequin with exactly `influences` bones per vertex: the nearest ones, weighted by inverse
// distance.
Rig dense_character(std::size_t vertices, std::size_t influences);

// The middle of its first clip: every limb turned, nothing stretched, some twist.
std::vector<BoneState> moving_pose(const Rig& rig);

// The same with every bone stretched and twisted.
std::vector<BoneState> strained_pose(const Rig& rig);

// The same with no bone stretched or twisted.
std::vector<BoneState> stiff_pose(const Rig& rig);

// A tree of joints, all of which turn for two seconds, with a few vertices at each.
Rig many_joints(int count);

}  // namespace sinew::bench
