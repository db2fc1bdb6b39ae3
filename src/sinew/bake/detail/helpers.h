// SPDX-License-Identifier: Apache-2.0
// The helper joints: their place in the skeleton and the motion of each.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "sinew/bake/detail/split.h"
#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"

namespace sinew::baking {

// The motion T(e) of a bone at a node of its split, from mesh to world space (Jacobson and Sorkine
// 2011, eq. 5): rigid, after the part of the scale across the bone that acts along the split's
// axes, if it has any.
Affine motion_at(const BoneState& state, const SplitBone& split, std::size_t node);

// The joint's own motion without its scale: its rotation, and the translation that puts the bone's
// head where the joint does.
Affine rigid_motion(const BoneState& state);

// `wanted`, with a number appended if that name is taken; adds the result to `taken`.
std::string free_name(std::set<std::string>& taken, const std::string& wanted);

// Adds the joints and bones of all splits. Helpers of "hand" are named "hand_twist0" and so on; a
// number is appended if that name is taken. In the bind pose each lies along its bone, oriented
// like the bone's joint or, if it carries scale, along the axes of that scale.
void add_helpers(Skeleton& skeleton, std::span<const SplitBone> splits);

// The motion of each bone of the baked skeleton in a pose: for helpers the motion that their tracks
// should reproduce, for the others that of their joints.
std::vector<Affine> helper_palette(std::span<const BoneState> states,
                                   std::span<const SplitBone> splits);

// The local transform that gives a helper `motion`. `frame` is the world-space frame of `joint`,
// the joint of its bone, which is the helper's parent or grandparent; in the latter case the parent
// is at rest. Rotation and translation only, unless it `carries_scale`: scale in the frame is not
// undone.
Transform helper_local(const Skeleton& baked, const Bone& helper, int joint, const Affine& frame,
                       const Affine& motion, bool carries_scale);

}  // namespace sinew::baking
