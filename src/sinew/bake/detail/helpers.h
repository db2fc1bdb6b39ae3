// SPDX-License-Identifier: Apache-2.0
// The helper joints themselves: their place in the skeleton, and the motion each of them carries.
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

// The joint's own motion without its scale: its rotation, about where it takes the bone's head.
Affine rigid_motion(const BoneState& state);

// `wanted`, or that with a number where it is taken; it is taken from then on.
std::string free_name(std::set<std::string>& taken, const std::string& wanted);

// Adds the joints and bones of all splits. A helper of "hand" is "hand_twist0"; a number is added
// where that name is taken. Each lies along its bone at bind, turned as the bone's joint is, or as
// the scale that it carries acts.
void add_helpers(Skeleton& skeleton, std::span<const SplitBone> splits);

// For each bone of the baked skeleton its motion in a pose: for helpers what tracks aim at, for the
// others that of their joints.
std::vector<Affine> helper_palette(std::span<const BoneState> states,
                                   std::span<const SplitBone> splits);

// A helper's place in the frame of its parent that gives it `motion`, where `frame` is the frame in
// world space of `joint`, its bone's: the parent, or what the parent hangs from at rest. Rotation
// and translation only, unless it `carries_scale`: where the frame has scale, the scale that would
// have to be undone is left out.
Transform helper_local(const Skeleton& baked, const Bone& helper, int joint, const Affine& frame,
                       const Affine& motion, bool carries_scale);

}  // namespace sinew::baking
