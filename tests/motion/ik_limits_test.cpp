// SPDX-License-Identifier: Apache-2.0
// How far joints turn.
#include <gtest/gtest.h>

#include "tests/motion/ik_rigs.h"

namespace sinew {
namespace {

TEST(Ik, limits_hold_and_the_rest_of_the_chain_makes_up_for_them) {
  const Skeleton skeleton = chain_skeleton({0.4, 0.4, 0.4, 0.4}, 0.2);
  const auto turn_of = [&](const std::vector<Transform>& pose, int j) {
    return conjugate(skeleton.joints[j].rest.rotation) * pose[j].rotation;
  };
  IkOptions options;
  options.limits = {{0, ConeLimit{{1, 0, 0}, 0.5, -0.2, 0.2}},
                    {1, HingeLimit{{0, 0, 1}, -0.1, 1.5}},
                    {2, AxesLimit{{-0.3, -0.4, -0.2}, {0.3, 0.4, 0.6}}}};
  for (const Vec3 goal :
       {Vec3{0.9, 0.6, 0.3}, Vec3{1.0, 0.9, -0.2}, Vec3{0.9, 0.2, 0.1}, Vec3{-0.5, 0.2, 0.1}}) {
    const auto pose = reach(skeleton, {4, 0}, at(goal), rest_of(skeleton), options);
    const Quat cone = turn_of(pose, 0), hinge = turn_of(pose, 1), axes = turn_of(pose, 2);
    const double twist = twist_angle(cone, Vec3{1, 0, 0});
    EXPECT_LT(std::fabs(twist), 0.2 + 1e-9);
    EXPECT_LT(rotation_angle(cone * rotation_about(Vec3{1, 0, 0}, -twist)), 0.5 + 1e-9);
    EXPECT_LT(std::hypot(hinge.x, hinge.y), 1e-9);
    const double bent = twist_angle(hinge, Vec3{0, 0, 1});
    EXPECT_TRUE(bent > -0.1 - 1e-9 && bent < 1.5 + 1e-9) << bent;
    EXPECT_GT(std::fabs(dot(clamped(axes, options.limits[2].range), axes)), 1 - 1e-15);
    EXPECT_LT(length_change(skeleton, rest_of(skeleton), pose), 1e-12);
    if (goal.x > 0) {
      EXPECT_LT(distance(end_of(skeleton, pose), goal), 1e-6) << goal.x << " " << goal.y;
    }
  }
}

TEST(Ik, limits_clamp_swing_twist_and_axes) {
  const Quat turn = rotation_about(Vec3{1, 0, 0}, 0.9) * rotation_about(Vec3{0, 1, 0}, 0.7);
  const Quat coned = clamped(turn, ConeLimit{{0, 1, 0}, 0.4, -0.1, 0.3});
  EXPECT_NEAR(twist_angle(coned, Vec3{0, 1, 0}), 0.3, 1e-12);
  EXPECT_NEAR(rotation_angle(coned * rotation_about(Vec3{0, 1, 0}, -0.3)), 0.4, 1e-12);
  EXPECT_EQ(clamped(turn, ConeLimit{{0, 1, 0}, 1, -1, 1}), turn);
  EXPECT_NEAR(rotation_angle(clamped(turn, HingeLimit{{0, 1, 0}, 0, 0.5})), 0.5, 1e-12);
  const Quat y = rotation_about(Vec3{0, 1, 0}, 0.45);
  EXPECT_EQ(clamped(y, HingeLimit{{0, 1, 0}, 0, 0.5}), y);
  const Quat boxed =
      clamped(rotation_about(normalized(Vec3{1, 2, 2}), 0.9), AxesLimit{{-1, -1, -1}, {0.1, 1, 1}});
  EXPECT_NEAR(rotation_angle(boxed), std::sqrt(0.01 + 0.36 + 0.36), 1e-12);
}

}  // namespace
}  // namespace sinew
