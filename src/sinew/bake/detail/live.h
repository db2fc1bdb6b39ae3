// SPDX-License-Identifier: Apache-2.0
// Helpers in poses that no clip has: which poses to be ready for, what turns the helpers there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/bake/detail/influences.h"
#include "sinew/bake/detail/poses.h"
#include "sinew/bake/detail/split.h"
#include "sinew/bake/live_table.h"
#include "sinew/skeleton/constraints.h"

namespace sinew::baking {

// Which joints may be moved by code and the skin follows: of the tails of split bones those for
// which every bone with skin that has to take a share of their twist is split; if there are none,
// all tails of split bones.
std::vector<bool> live_joints(const Rig& rig, const SkinRows& rows,
                              std::span<const SplitBone> splits);

// Gives names to joints without one that the table has to name.
void name_joints(Skeleton& skeleton);

// Hangs the helpers below nodes of their own, and turns them so that one axis lies along the bone,
// so that one roll constraint each, with a weight in [0, 1], turns them:
// - what a bone takes over of the next joint's twist: a roll that follows that joint, on the helper
//   or, where it has to follow two joints, on a node between it and the bone's joint ("_over");
// - what is taken off of the bone's own twist: a roll that follows the twist's origin ("_origin"),
//   a node below the joint that does not twist with it. Its axis along the bone points backwards,
//   and it copies a node beside the joint ("_roll") that rolls as the joint does.
// The added nodes are frames, after all other joints. `notes` gets what could not be expressed.
std::vector<JointConstraint> add_rolls(const Rig& before, std::span<const SplitBone> splits,
                                       Skeleton& baked, std::vector<std::string>& notes);

LiveTable live_table(const Rig& before, std::span<const SplitBone> splits, const Skeleton& baked);

// Each bone's map where the constraints alone turn the helpers.
std::vector<Affine> constrained_palette(const Skeleton& baked,
                                        std::span<const JointConstraint> constraints,
                                        std::span<const Transform> joints);

}  // namespace sinew::baking
