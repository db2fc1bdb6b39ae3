// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/indices.h"

#include <array>
#include <type_traits>

#include <gtest/gtest.h>

namespace sinew {
namespace {

template <class A, class B>
concept comparable = requires(A a, B b) {
  a == b;
};

TEST(Indices, of_bones_and_joints_do_not_mix) {
  EXPECT_FALSE((std::is_convertible_v<BoneIndex, JointIndex>));
  EXPECT_FALSE((std::is_constructible_v<JointIndex, BoneIndex>));
  EXPECT_FALSE((std::is_assignable_v<JointIndex&, BoneIndex>));
  EXPECT_FALSE((comparable<BoneIndex, JointIndex>));
  EXPECT_TRUE((comparable<BoneIndex, BoneIndex>));
}

TEST(Indices, count_and_subscript_as_ints_do) {
  EXPECT_EQ(no_joint, -1);
  EXPECT_EQ(BoneIndex(), no_bone);
  BoneIndex bone = 1;
  ++bone;
  bone += 2;
  EXPECT_EQ(bone, 4);
  EXPECT_EQ((std::array{10, 11, 12, 13, 14}[bone]), 14);
}

}  // namespace
}  // namespace sinew
