// SPDX-License-Identifier: Apache-2.0
// Tails of skeletons that no artist makes: long chains, and many joints at one place.
#include <gtest/gtest.h>

#include "sinew/rig/rig.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {
namespace {

// Joints in a chain, each at the place of the one before unless there is a step, with a bone each.
Skeleton long_chain(int count, const Vec3& start, const Vec3& step = {}) {
  Skeleton skeleton;
  for (int j = 0; j < count; ++j) {
    Joint joint;
    joint.parent = j - 1;
    joint.rest.translation = j == 0 ? start : step;
    skeleton.joints.push_back(joint);
    Bone bone;
    bone.joint = j;
    bone.head = start + step * j;
    bone.inverse_bind.translation = -bone.head;
    skeleton.bones.push_back(bone);
  }
  return skeleton;
}

TEST(InferTails, a_bone_points_past_joints_without_bones_and_those_at_its_place) {
  Skeleton skeleton = long_chain(4, {0, 0, 0});
  skeleton.joints[3].parent = 1;
  skeleton.joints[3].rest.translation = {0, 1, 0};
  skeleton.bones[3].head = {0, 1, 0};
  skeleton.bones[3].inverse_bind.translation = {0, -1, 0};
  skeleton.bones.erase(skeleton.bones.begin() + 1);
  infer_tails(skeleton);
  EXPECT_EQ(skeleton.bones[0].tail_joint, 3);
}

TEST(InferTails, a_chain_of_any_length_at_one_place_has_bones) {
  for (const double away : {0.0, 1.0, 1e6, 1e12}) {
    Skeleton skeleton = long_chain(2000, {away, -away, 0});
    infer_tails(skeleton);
    EXPECT_NO_THROW(validate(skeleton)) << away;
  }
}

TEST(InferTails, joints_at_one_place_point_to_what_the_last_of_them_leads_to) {
  Skeleton skeleton = long_chain(6, {1, 2, 3});
  skeleton.bones[5].head = {1, 4, 3};
  infer_tails(skeleton);
  for (int b = 0; b < 5; ++b) {
    EXPECT_EQ(skeleton.bones[b].tail_joint, JointIndex(5)) << b;
    EXPECT_EQ(skeleton.bones[b].tail, (Vec3{1, 4, 3})) << b;
  }
}

}  // namespace
}  // namespace sinew
