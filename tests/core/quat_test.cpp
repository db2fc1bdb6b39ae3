// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/quat.h"

#include <gtest/gtest.h>

#include "tests/support/rotations.h"

namespace sinew {
namespace {

TEST(Quat, quarter_turn_about_z_takes_x_to_y) {
  const Quat q = rotation_about(Vec3{0, 0, 1}, pi / 2);
  EXPECT_LT(distance(rotate(q, Vec3{1, 0, 0}), Vec3{0, 1, 0}), 1e-15);
  EXPECT_LT(distance(to_matrix(q) * Vec3{1, 0, 0}, Vec3{0, 1, 0}), 1e-15);
}

TEST(Quat, product_applies_the_right_one_first) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Quat a = random_rotation(random), b = random_rotation(random);
    const Vec3 v = random.vector();
    EXPECT_LT(distance(rotate(a * b, v), rotate(a, rotate(b, v))), 1e-14);
    EXPECT_LT(distance(rotate(a, v), to_matrix(a) * v), 1e-14);
    EXPECT_LT(distance(rotate(conjugate(a), rotate(a, v)), v), 1e-14);
  }
}

TEST(Quat, rotation_about_is_continuous_past_a_full_turn) {
  const Vec3 axis = normalized(Vec3{1, 2, -1});
  Quat before = rotation_about(axis, -5 * pi);
  for (double angle = -5 * pi; angle < 5 * pi; angle += 0.01) {
    const Quat q = rotation_about(axis, angle);
    EXPECT_GT(dot(q, before), 0.9999);
    before = q;
  }
  EXPECT_LT(dot(rotation_about(axis, 0.3), rotation_about(axis, 0.3 + 2 * pi)), -0.9999);
}

TEST(Quat, rotation_between_takes_one_to_the_other_by_the_smallest_turn) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Vec3 a = normalized(random.vector()), b = normalized(random.vector());
    const Quat q = rotation_between(a, b);
    EXPECT_LT(distance(rotate(q, a), b), 1e-14);
    EXPECT_NEAR(rotation_angle(q), std::acos(dot(a, b)), 1e-7);
  }
  EXPECT_EQ(rotation_between(Vec3{0, 1, 0}, Vec3{0, 1, 0}), Quat{});
}

TEST(Quat, rotation_between_opposite_vectors_is_half_a_turn) {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const Vec3 a = normalized(random.vector());
    const Quat q = rotation_between(a, -a);
    EXPECT_LT(distance(rotate(q, a), -a), 1e-14);
    EXPECT_EQ(q, rotation_between(a, -a));
  }
}

TEST(Quat, rotation_between_nearly_opposite_vectors_is_as_exact_as_any) {
  Random random(7);
  for (double off = 1e-17; off < 1e-2; off *= 3) {
    for (int i = 0; i < 20; ++i) {
      const Vec3 a = normalized(random.vector());
      const Vec3 b = normalized(random.vector() * off - a);
      EXPECT_LT(distance(rotate(rotation_between(a, b), a), b), 1e-14) << off;
    }
  }
}

TEST(Quat, matrices_come_back_through_all_four_branches) {
  Random random(9);
  const Quat large_w{0.1, 0.2, 0.3, 2}, large_x{2, 0.1, 0.2, 0.3}, large_y{0.3, 2, 0.1, 0.2},
      large_z{0.2, 0.3, 2, 0.1};
  for (const Quat& q : {large_w, large_x, large_y, large_z, Quat{1, 0, 0, 0}, Quat{0, 1, 0, 0},
                        Quat{0, 0, 1, 0}, Quat{}, Quat{-1, 1, 1, -1}}) {
    expect_same_rotation(to_quaternion(to_matrix(normalized(q))), normalized(q), 1e-14);
  }
  for (int i = 0; i < 200; ++i) {
    const Quat q = random_rotation(random);
    expect_same_rotation(to_quaternion(to_matrix(q)), q, 1e-14);
  }
}

TEST(Quat, slerp_takes_the_shorter_way_at_even_speed) {
  const Vec3 axis = normalized(Vec3{1, 1, 0});
  const Quat a = rotation_about(axis, 0.2), b = rotation_about(axis, 1.8);
  for (const double t : {0.0, 0.25, 0.5, 1.0}) {
    expect_same_rotation(slerp(a, b, t), rotation_about(axis, 0.2 + 1.6 * t), 1e-14);
    expect_same_rotation(slerp(a, -b, t), rotation_about(axis, 0.2 + 1.6 * t), 1e-14);
  }
}

TEST(Quat, slerp_between_close_rotations_stays_there) {
  for (double angle = 1e-12; angle < 1e-2; angle *= 3) {
    const Quat a = rotation_about(Vec3{0, 1, 0}, 1.0),
               b = rotation_about(Vec3{0, 1, 0}, 1.0 + angle);
    EXPECT_NEAR(rotation_angle(conjugate(a) * slerp(a, b, 0.25)), angle / 4, 1e-15 + 1e-9 * angle);
  }
}

TEST(Quat, slerp_between_equal_rotations_works_in_single_precision) {
  const QuatT<float> a = rotation_about(Vec3f{0, 1, 0}, 1.0f);
  for (const float off : {0.0f, 1e-7f, 1e-4f, 1e-3f}) {
    const QuatT<float> b = rotation_about(Vec3f{0, 1, 0}, 1.0f + off);
    EXPECT_NEAR(slerp(a, b, 0.5f).y, std::sin((1.0f + off / 2) / 2), 1e-6f);
  }
  for (float angle = 0; angle < 6; angle += 0.01f) {
    const QuatT<float> q = rotation_about(Vec3f{0.6f, 0, 0.8f}, angle);
    EXPECT_NEAR(dot(slerp(q, q, 0.5f), q), 1, 1e-6f);
  }
}

TEST(Quat, twist_is_the_turn_about_the_axis) {
  const Vec3 axis = normalized(Vec3{1, 2, 3});
  const Quat swing = rotation_about(any_perpendicular(axis), 1.1);
  for (const double angle : {-3.0, -1.0, 0.0, 0.5, 3.1}) {
    const Quat q = swing * rotation_about(axis, angle);
    EXPECT_NEAR(twist_angle(q, axis), angle, 1e-14);
    EXPECT_NEAR(twist_angle(-q, axis), angle, 1e-14);
  }
  EXPECT_NEAR(twist_angle(rotation_about(axis, pi), axis), pi, 1e-14);
  EXPECT_EQ(twist_angle(rotation_about(any_perpendicular(axis), pi), axis), 0);
}

TEST(Quat, rotation_angle_is_the_same_for_both_signs) {
  const Quat q = rotation_about(Vec3{0, 0, 1}, 1e-9);
  EXPECT_NEAR(rotation_angle(q), 1e-9, 1e-22);
  EXPECT_NEAR(rotation_angle(-q), 1e-9, 1e-22);
  EXPECT_NEAR(rotation_angle(rotation_about(Vec3{0, 0, 1}, 4.0)), 2 * pi - 4, 1e-14);
}

TEST(Quat, quaternions_without_direction_become_the_identity) {
  EXPECT_EQ(normalized(Quat{0, 0, 0, 0}), Quat{});
  EXPECT_EQ(normalized(Quat{std::nan(""), 0, 0, 1}), Quat{});
}

}  // namespace
}  // namespace sinew
