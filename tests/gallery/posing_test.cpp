// SPDX-License-Identifier: Apache-2.0
#include "apps/gallery/posing.h"

#include <array>

#include <gtest/gtest.h>

#include "tests/support/comparing.h"

namespace sinew::gallery {
namespace {

Skeleton arm() {
  return make_skeleton(std::array{BonePlan{"upper", "", {0, 0, 0}, {0, 2, 0}},
                                  BonePlan{"lower", "upper", {0, 2, 0}, {0, 3, 0}},
                                  BonePlan{"side", "upper", {1, 1, 0}, {2, 1, 0}}});
}

TEST(GalleryPosing, a_skeleton_points_to_the_bone_that_starts_at_its_end) {
  const Skeleton skeleton = arm();
  EXPECT_EQ(skeleton.bones[0].tail_joint, 1);
  EXPECT_EQ(skeleton.bones[1].tail_joint, no_joint);
  EXPECT_EQ(parent_bones(skeleton), (std::vector<BoneIndex>{-1, 0, 0}));
  EXPECT_EQ(bone_number(skeleton, "side"), 2);
}

TEST(GalleryPosing, without_motion_every_bone_stays) {
  for (const BoneState& state : pose_bones(arm(), {})) {
    EXPECT_LT(distance(state.posed_head, state.head), 1e-15);
    EXPECT_LT(distance(state.posed_tail, state.tail), 1e-15);
    EXPECT_EQ(state.twist_head, 0);
    EXPECT_EQ(state.twist_tail, 0);
  }
}

TEST(GalleryPosing, children_start_where_a_stretched_bent_parent_takes_them) {
  const Quat quarter = rotation_about(Vec3{0, 0, 1}, radians(90));
  const auto states =
      pose_bones(arm(), std::array{BoneMotion{.bone = "upper", .bend = quarter, .stretch = 1.5}});
  EXPECT_LT(distance(states[0].posed_tail, {-3, 0, 0}), 1e-12);
  EXPECT_LT(distance(states[1].posed_head, {-3, 0, 0}), 1e-12);
  EXPECT_LT(distance(states[1].posed_tail, {-4, 0, 0}), 1e-12);
  // Half way up, so it gets half of the stretch.
  EXPECT_LT(distance(states[2].posed_head, {-1.5, 1, 0}), 1e-12);
}

TEST(GalleryPosing, both_sides_of_a_twisted_joint_agree_whatever_the_share_and_the_turns) {
  for (const double share : {0.0, 0.3, 1.0}) {
    for (const double twist : {100.0, 315.0, -500.0}) {
      const auto states = pose_bones(
          arm(), std::array{BoneMotion{.bone = "lower", .twist = twist, .share = share}});
      EXPECT_NEAR(degrees(states[0].twist_tail), share * twist, 1e-9);
      EXPECT_NEAR(degrees(states[1].twist_head), -(1 - share) * twist, 1e-9);
      EXPECT_NEAR(degrees(states[1].own_twist), twist, 1e-9);
      const Vec3 axis{0, 1, 0}, mark{1, 0, 0};
      const Vec3 before =
          rotate(states[0].rotation * rotation_about(axis, states[0].twist_tail), mark);
      const Vec3 after =
          rotate(states[1].rotation * rotation_about(axis, states[1].twist_head), mark);
      EXPECT_LT(distance(before, after), 1e-9);
    }
  }
}

TEST(GalleryPosing, what_hangs_on_a_bone_follows_the_twist_of_its_end) {
  const auto states = pose_bones(arm(), std::array{BoneMotion{.bone = "upper", .end_twist = 90}});
  EXPECT_LT(distance(states[0].posed_tail, {0, 2, 0}), 1e-12);
  EXPECT_NEAR(degrees(states[0].twist_tail), 90, 1e-9);
  EXPECT_LT(distance(states[2].posed_head, {0, 1, -1}), 1e-12);
  EXPECT_LT(distance(states[2].posed_tail, {0, 1, -2}), 1e-12);
}

}  // namespace
}  // namespace sinew::gallery
