// SPDX-License-Identifier: Apache-2.0
// Which bone hangs on which, and where bones end. Joints must not form a cycle; what takes a whole
// skeleton throws InputError as require_joints_of_bones().
#pragma once

#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// For each bone, the one it hangs on: of the nearest joint above that has any, the bone that points
// here, else the nearest; -1 at roots. Frames with rigid meshes have no part in this.
std::vector<int> parent_bones(const Skeleton& skeleton);

// Parents, and an order to go through bones in.
struct BoneTree {
  std::vector<int> parents;  // parent_bones
  std::vector<int> order;    // all bones, each after the one it hangs on
};
BoneTree bone_tree(const Skeleton& skeleton);

// For each bone, the one whose head is its tail: of the joint that it points to. The bone itself
// where there is none (a tail of its own, or one that was put elsewhere).
std::vector<int> tail_carriers(const Skeleton& skeleton);

// The frame that the bone points to, hanging on its joint and standing at its tail: a joint without
// a bone that carries and twists the tail. no_joint if there is none.
int end_frame(const Skeleton& skeleton, const Bone& bone);

// From mesh space into the frame of a bone's end at bind time. Throws UsageError for an end that is
// no joint.
Affine end_inverse_bind(const Skeleton& skeleton, const Bone& bone, int end);

}  // namespace sinew
