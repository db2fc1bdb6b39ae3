// SPDX-License-Identifier: Apache-2.0
// The hierarchy of bones, and what moves their tails. Joints must not form a cycle. Functions that
// take a whole skeleton throw InputError as require_joints_of_bones().
#pragma once

#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// Each bone's parent bone: among the bones of the nearest ancestor joint that has any, the one that
// points to this bone, else the nearest; -1 for roots. Frames with rigid meshes are ignored.
std::vector<BoneIndex> parent_bones(const Skeleton& skeleton);

// Parents, and an order to go through bones in.
struct BoneTree {
  std::vector<BoneIndex> parents;  // parent_bones
  std::vector<BoneIndex> order;    // all bones, parents first
};
BoneTree bone_tree(const Skeleton& skeleton);

// For each bone, the bone that starts where it ends, at the joint it points to. The bone itself if
// there is none (its tail is not at a joint, or was moved away from it).
std::vector<BoneIndex> tail_carriers(const Skeleton& skeleton);

// The frame that the bone points to, if it is a child of the bone's joint and lies at its tail: a
// joint without a bone that moves and twists the tail. no_joint if there is none.
JointIndex end_frame(const Skeleton& skeleton, const Bone& bone);

// The inverse bind matrix of an end frame: from mesh space into its frame at bind time. Throws
// UsageError if `end` is not a joint.
Affine end_inverse_bind(const Skeleton& skeleton, const Bone& bone, JointIndex end);

}  // namespace sinew
