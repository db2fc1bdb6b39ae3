// SPDX-License-Identifier: Apache-2.0
// Live helpers, for poses outside the clips: which poses to prepare for, and what moves the
// helpers.
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

// The joints that code may move with the skin following correctly: of the joints at the tails of
// split bones, those for which every bone with skin that shares their twist is split; if there are
// none, all of them.
std::vector<bool> live_joints(const Rig& rig, const SkinRows& rows,
                              std::span<const SplitBone> splits);

// Names unnamed joints, since the table refers to joints by name.
void name_joints(Skeleton& skeleton);

// Puts the helpers below nodes of their own and orients them with one axis along the bone, so that
// one roll constraint each, with a weight in [0, 1], can turn them:
// - the bone's share of the next joint's twist: a roll that follows that joint, on the helper
//   itself or, if it has to follow two joints, on a node between it and the bone's joint ("_over");
// - the part removed from the bone's own twist: a roll that follows the twist's origin
//   ("_origin"), a node below the joint that does not twist with it. Its axis along the bone points
//   backwards, and it copies a node beside the joint ("_roll") that rolls as the joint does.
// The added nodes are frames and come after all other joints. `notes` receives what could not be
// expressed.
std::vector<JointConstraint> add_rolls(const Rig& before, std::span<const SplitBone> splits,
                                       Skeleton& baked, std::vector<std::string>& notes);

LiveTable live_table(const Rig& before, std::span<const SplitBone> splits, const Skeleton& baked);

// The palette if only the constraints turn the helpers.
std::vector<Affine> constrained_palette(const Skeleton& baked,
                                        std::span<const JointConstraint> constraints,
                                        std::span<const Transform> joints);

}  // namespace sinew::baking
