// SPDX-License-Identifier: Apache-2.0
// How far joints turn.
#include <algorithm>
#include <cmath>
#include <utility>

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

TEST(Ik, a_long_chain_with_limits_comes_near_to_a_goal_out_of_reach) {
  const Skeleton skeleton = chain_skeleton(std::vector<double>(60, 0.1), 0.02);
  IkOptions options;
  for (int j = 0; j < 60; ++j) options.limits.push_back({j, ConeLimit{{1, 0, 0}, 0.5, -0.1, 0.1}});
  for (const double away : {1.5, 4.0}) {
    const Vec3 goal = Vec3{2, 3, 4} * away;
    const auto pose = reach(skeleton, {60, 0}, at(goal), rest_of(skeleton), options);
    // Straight, it would be this far away.
    const double least = length(goal) - 6;
    EXPECT_LT(distance(end_of(skeleton, pose), goal), 1.1 * least) << away;
  }
}

TEST(Ik, swings_and_twists_are_clamped_each_for_itself_and_either_way_round) {
  const Vec3 axis = normalized(Vec3{1, 2, -1}), across = any_perpendicular(axis);
  const auto joined = [&](double swing, double twist) {
    return rotation_about(across, swing) * rotation_about(axis, twist);
  };
  const auto apart = [](const Quat& a, const Quat& b) { return rotation_angle(conjugate(a) * b); };
  for (const double swing : {0.0, 0.3, 1.2, 3.0}) {
    for (const double twist : {-3.0, -0.7, -0.05, 0.0, 0.2, 2.0}) {
      for (const double sign : {1.0, -1.0}) {
        const Quat turn = joined(swing, twist) * sign;
        for (const double most : {0.0, 0.5, 2.0, pi}) {
          for (const auto& [low, high] : {std::pair(-0.1, 0.3), {0.0, 0.0}, {-pi, pi}}) {
            const double kept_swing = std::min(swing, most);
            const double kept_twist = std::clamp(twist, low, high);
            const Quat cone = clamped(turn, ConeLimit{axis, most, low, high});
            EXPECT_LT(apart(cone, joined(kept_swing, kept_twist)), 1e-7)
                << swing << " " << twist << " " << sign << ", " << most << " " << low;
            if (kept_swing == swing && kept_twist == twist) {
              EXPECT_EQ(cone, turn);
            }
            const Quat hinge = clamped(turn, HingeLimit{axis, low, high});
            EXPECT_LT(apart(hinge, joined(0, kept_twist)), 1e-7) << swing << " " << twist;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew
