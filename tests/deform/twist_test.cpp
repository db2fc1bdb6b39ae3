// SPDX-License-Identifier: Apache-2.0
// The twist that a joint hands on: exact where it is defined, continuous and small where it is not.
#include "sinew/deform/twist.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/affine.h"

namespace sinew {
namespace {

constexpr Vec3 bone_axis{0, 1, 0};

// An axis that is `off` degrees off perpendicular to the bone, in the direction `around`.
Vec3 swing_axis(double around, double off) {
  const double a = radians(around), d = radians(off);
  return {std::cos(a) * std::cos(d), std::sin(d), std::sin(a) * std::cos(d)};
}

Quat swung(const Vec3& axis, double swing, double twist) {
  return rotation_about(axis, radians(swing)) * rotation_about(bone_axis, radians(twist));
}

double lone_twist(const Quat& turn) {
  double followed = no_twist;
  return follow_twist(followed, turn, bone_axis);
}

struct Sweep {
  double largest = 0;  // twist handed on, degrees
  double jump = 0;     // between neighbours
  double at_end = 0;   // after the whole turn
};

// All the way round in so many steps a degree.
Sweep sweep(double around, double off, double twist, int steps) {
  double followed = no_twist;
  Sweep result;
  double last =
      degrees(follow_twist(followed, swung(swing_axis(around, off), 0, twist), bone_axis));
  for (int i = 0; i <= steps * 360; ++i) {
    const Quat turn = swung(swing_axis(around, off), double(i) / steps, twist);
    const double now = degrees(follow_twist(followed, turn, bone_axis));
    result.largest = std::max(result.largest, std::fabs(now));
    result.jump = std::max(result.jump, std::fabs(now - last));
    last = now;
  }
  result.at_end = last;
  return result;
}

Sweep worst(double off, double twist, int steps = 4) {
  Sweep result;
  for (int around = 0; around < 360; around += 10) {
    for (const double side : {off, -off}) {
      const Sweep one = sweep(around, side, twist, steps);
      result.largest = std::max(result.largest, one.largest);
      result.jump = std::max(result.jump, one.jump);
      result.at_end = std::max(result.at_end, std::fabs(one.at_end - twist));
    }
  }
  return result;
}

TEST(HandedTwist, is_exact_up_to_a_right_angle_of_swing) {
  for (int around = 0; around < 360; around += 30) {
    for (const double swing : {0.0, 20.0, 60.0, 89.9}) {
      for (const double twist : {-170.0, -60.0, 0.0, 15.0, 120.0, 179.0}) {
        const double handed = lone_twist(swung(swing_axis(around, 0), swing, twist));
        EXPECT_NEAR(degrees(handed), twist, 1e-9) << swing;
      }
    }
  }
}

TEST(HandedTwist, is_nothing_where_it_is_undefined) {
  for (int around = 0; around < 360; around += 10) {
    for (const double swing : {150.0, 170.0, 179.99, 180.0, 190.0, 210.0}) {
      for (const double twist : {-90.0, 0.0, 40.0, 180.0}) {
        const Quat turn = swung(swing_axis(around, 0), swing, twist);
        EXPECT_NEAR(lone_twist(turn), 0, 1e-12);
      }
    }
  }
}

TEST(HandedTwist, a_swing_all_the_way_round_puts_no_twist_in) {
  EXPECT_LT(worst(0, 0).largest, 1e-9);
  EXPECT_LT(worst(0.2, 0).largest, 0.5);
  EXPECT_LT(worst(2, 0).largest, 5);
  for (const double off : {0.0, 0.2, 2.0, 5.0, 10.0}) {
    for (const double twist : {0.0, 30.0, 90.0, 170.0}) {
      EXPECT_LT(worst(off, twist).at_end, 1e-9) << off << " " << twist;
    }
  }
}

TEST(HandedTwist, neighbouring_poses_have_neighbouring_twists) {
  for (const double off : {0.0, 0.2, 2.0, 5.0, 10.0, 20.0, 45.0}) {
    for (const double twist : {0.0, 30.0, 90.0, 170.0}) {
      const double coarse = worst(off, twist, 4).jump, fine = worst(off, twist, 16).jump;
      EXPECT_LT(coarse, 2.5) << off << " " << twist;
      EXPECT_LT(fine, 0.3 * coarse + 1e-9) << off << " " << twist;
    }
  }
}

TEST(HandedTwist, turns_are_counted_while_the_swing_is_small) {
  double followed = no_twist;
  for (int i = 0; i <= 144; ++i) {
    const double swing = 80 * std::sin(i / 9.0);
    const Quat turn = swung(swing_axis(40, 0), swing, 5.0 * i);
    EXPECT_NEAR(degrees(follow_twist(followed, turn, bone_axis)), 5.0 * i, 1e-9);
  }
}

TEST(HandedTwist, two_turns_survive_a_moment_without_a_twist) {
  double followed = no_twist;
  double now = 0;
  const auto go = [&](double swing, double twist) {
    now = degrees(follow_twist(followed, swung(swing_axis(40, 0), swing, twist), bone_axis));
  };
  for (int i = 0; i <= 144; ++i) go(0, 5.0 * i);
  EXPECT_NEAR(now, 720, 1e-9);
  for (int i = 0; i <= 180; ++i) go(i, 720);
  EXPECT_NEAR(now, 0, 1e-9);
  for (int i = 180; i >= 0; --i) go(i, 720);
  EXPECT_NEAR(now, 720, 1e-9);
}

TEST(HandedTwist, the_sign_of_the_quaternion_does_not_matter) {
  double a = no_twist, b = no_twist;
  for (int i = 0; i <= 720; ++i) {
    const Quat turn = swung(swing_axis(70, 3), i, 2.0 * i);
    EXPECT_NEAR(follow_twist(a, turn, bone_axis),
                follow_twist(b, i % 3 == 0 ? -turn : turn, bone_axis), 1e-12);
  }
}

}  // namespace
}  // namespace sinew
