// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/euler.h"

#include <gtest/gtest.h>

#include "tests/support/rotations.h"

namespace sinew {
namespace {

constexpr EulerOrder orders[] = {EulerOrder::xyz, EulerOrder::xzy, EulerOrder::yxz,
                                 EulerOrder::yzx, EulerOrder::zxy, EulerOrder::zyx};

TEST(Euler, letters_read_from_the_outermost_rotation) {
  const Vec3 angles{0.3, -0.7, 1.1};
  const Quat x = rotation_about(Vec3{1, 0, 0}, angles.x);
  const Quat y = rotation_about(Vec3{0, 1, 0}, angles.y);
  const Quat z = rotation_about(Vec3{0, 0, 1}, angles.z);
  expect_same_rotation(from_euler(angles, EulerOrder::zxy), z * x * y, 1e-12);
  expect_same_rotation(from_euler(angles, EulerOrder::xyz), x * y * z, 1e-12);
}

TEST(Euler, there_and_back_in_every_order) {
  for (const EulerOrder order : orders) {
    for (double a = -3; a <= 3; a += 0.75) {
      for (double b = -1.5; b <= 1.5; b += 0.5) {
        for (double c = -3; c <= 3; c += 0.75) {
          Vec3 angles;
          angles[euler_axis(order, 0)] = a;
          angles[euler_axis(order, 1)] = b;
          angles[euler_axis(order, 2)] = c;
          const Vec3 back = to_euler(from_euler(angles, order), order);
          EXPECT_NEAR(distance(angles, back), 0.0, 1e-9);
        }
      }
    }
  }
}

TEST(Euler, gimbal_lock_keeps_the_rotation) {
  for (const EulerOrder order : orders) {
    for (const double sign : {-1.0, 1.0}) {
      Vec3 angles{0.4, 0.4, 0.4};
      angles[euler_axis(order, 1)] = sign * pi / 2;
      const Quat q = from_euler(angles, order);
      expect_same_rotation(from_euler(to_euler(q, order), order), q, 1e-12);
    }
  }
}

}  // namespace
}  // namespace sinew
