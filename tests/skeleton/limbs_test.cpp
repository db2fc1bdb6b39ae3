// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/limbs.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

Skeleton tree(std::initializer_list<int> parents) {
  Skeleton skeleton;
  for (const int parent : parents) {
    Joint joint;
    joint.parent = parent;
    joint.rest.translation = {0, 1, 0};
    skeleton.joints.push_back(joint);
  }
  skeleton.bones = bones_from_joints(skeleton);
  return skeleton;
}

TEST(Limbs, a_chain_is_one_limb_and_a_branching_ends_it) {
  // A trunk of two, an arm of two, a leg of one.
  const Limbs limbs = find_limbs(tree({-1, 0, 1, 2, 1}));
  EXPECT_EQ(limbs.count, 3);
  EXPECT_EQ(limbs.of_bone, (std::vector<int>{0, 0, 1, 1, 2}));
  EXPECT_TRUE(limbs.connected(0, 1));
  EXPECT_TRUE(limbs.connected(2, 0));
  EXPECT_TRUE(limbs.connected(1, 1));
  EXPECT_FALSE(limbs.connected(1, 2));
}

TEST(Limbs, joints_without_bones_are_passed_over) {
  Skeleton skeleton = tree({-1, 0, 1});
  skeleton.bones.erase(skeleton.bones.begin() + 1);
  EXPECT_EQ(find_limbs(skeleton).of_bone, (std::vector<int>{0, 0}));
}

TEST(Limbs, a_small_helper_bone_ends_no_limb) {
  // A leg of two bones with a kneecap at the end of the first.
  const std::vector<Vec3> points = {{0, 9, 0}, {0, 5, 0}, {0, 1, 0}, {0, 5, 1}, {0, 4.5, 1}};
  Skeleton skeleton =
      skeleton_from_segments(points, std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {3, 4}});
  skeleton.joints[3].parent = 0;
  EXPECT_EQ(find_limbs(skeleton).of_bone, (std::vector<int>{0, 0, 0}));
  skeleton.bones[2].tail = {0, 2, 1};
  EXPECT_EQ(find_limbs(skeleton).count, 3);
}

TEST(Limbs, bones_that_start_at_the_same_root_are_adjacent_and_loose_ones_are_not) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {9, 0, 0}, {9, 1, 0}};
  const Limbs limbs = find_limbs(
      skeleton_from_segments(points, std::vector<std::array<int, 2>>{{0, 1}, {0, 2}, {3, 4}}));
  EXPECT_EQ(limbs.count, 3);
  EXPECT_TRUE(limbs.connected(limbs.of_bone[0], limbs.of_bone[1]));
  EXPECT_FALSE(limbs.connected(limbs.of_bone[0], limbs.of_bone[2]));
}

}  // namespace
}  // namespace sinew
