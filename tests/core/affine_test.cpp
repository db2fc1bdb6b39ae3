// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/affine.h"

#include <gtest/gtest.h>

#include "sinew/core/dual_quat.h"
#include "tests/support/rotations.h"

namespace sinew {
namespace {

double difference(const Affine& a, const Affine& b) {
  return distance(a.linear.x, b.linear.x) + distance(a.linear.y, b.linear.y) +
         distance(a.linear.z, b.linear.z) + distance(a.translation, b.translation);
}

TEST(Affine, product_applies_the_right_one_first_and_inverse_undoes) {
  const Affine a{{{1, 2, 0}, {0, 1, 1}, {3, 0, 1}}, {1, 2, 3}};
  const Affine b{{{0, 1, 0}, {1, 0, 0}, {0, 2, 1}}, {-1, 0, 5}};
  const Vec3 p{0.5, -1, 2};
  EXPECT_EQ(transform_point(a * b, p), transform_point(a, transform_point(b, p)));
  EXPECT_LT(difference(inverse(a) * a, Affine{}), 1e-14);
}

TEST(Affine, transform_scales_then_rotates_then_translates) {
  const Transform t{{10, 0, 0}, rotation_about(Vec3{0, 0, 1}, pi / 2), {2, 3, 4}};
  EXPECT_LT(distance(transform_point(to_affine(t), Vec3{1, 0, 0}), Vec3{10, 2, 0}), 1e-14);
}

TEST(Affine, splitting_comes_back_also_when_mirrored) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Transform t{random.vector(), random_rotation(random), random.vector()};
    double shear = 1;
    const Transform split = to_transform(to_affine(t), &shear);
    EXPECT_LT(difference(to_affine(split), to_affine(t)), 1e-14);
    EXPECT_LT(shear, 1e-13);
    EXPECT_GE(split.scale.y, 0);
    EXPECT_GE(split.scale.z, 0);
    EXPECT_EQ(split.scale.x < 0, t.scale.x * t.scale.y * t.scale.z < 0);
  }
}

TEST(Affine, splitting_works_for_tiny_and_huge_scales) {
  Random random(2);
  for (const double size : {1e-130, 1e-30, 1e30, 1e120}) {
    for (const double mirror : {1.0, -1.0}) {
      const Quat q = random_rotation(random);
      const Transform split = to_transform(to_affine({{}, q, Vec3{mirror, 2, 3} * size}));
      EXPECT_NEAR(split.scale.x / size, mirror, 1e-14);
      EXPECT_NEAR(split.scale.z / size, 3, 1e-14);
      expect_same_rotation(split.rotation, q, 1e-14);
    }
  }
}

TEST(Affine, axes_without_length_keep_scale_zero_and_the_others) {
  Random random(3);
  for (int zeros = 0; zeros < 8; ++zeros) {
    Transform t{{1, 2, 3}, random_rotation(random), {2, 3, 4}};
    for (std::size_t i = 0; i < 3; ++i) {
      if (zeros & (1 << i)) t.scale[i] = 0;
    }
    const Transform split = to_transform(to_affine(t));
    EXPECT_LT(difference(to_affine(split), to_affine(t)), 1e-13) << zeros;
    EXPECT_LT(distance(split.scale, t.scale), 1e-14) << zeros;
    EXPECT_NEAR(dot(split.rotation, split.rotation), 1, 1e-14);
  }
}

TEST(Affine, shear_is_reported_as_the_cosine_between_columns) {
  Affine m;
  m.linear.y = {0.6, 0.8, 0};
  double shear = 0;
  to_transform(m, &shear);
  EXPECT_NEAR(shear, 0.6, 1e-15);
}

TEST(Affine, parallel_columns_still_give_a_rotation_that_keeps_the_first) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Vec3 a = random.vector();
    const Affine m{{a, a * (0.3 + std::fabs(random.number())), random.vector()}, {}};
    const Transform split = to_transform(m);
    const Vec3 x = rotate(split.rotation, Vec3{split.scale.x, 0, 0});
    EXPECT_LT(distance(x, a), 1e-13);
  }
}

TEST(DualQuat, rigid_motion_equals_the_affine_map) {
  Random random(7);
  for (int i = 0; i < 50; ++i) {
    const Quat q = random_rotation(random), r = random_rotation(random);
    const Vec3 t = random.vector() * 10.0, u = random.vector(), p = random.vector();
    const Affine a = to_affine({t, q, {1, 1, 1}}), b = to_affine({u, r, {1, 1, 1}});
    EXPECT_LT(distance(transform_point(rigid_motion(q, t), p), transform_point(a, p)), 1e-13);
    EXPECT_LT(distance(translation_of(rigid_motion(q, t)), t), 1e-13);
    EXPECT_LT(distance(transform_point(rigid_motion(q, t) * rigid_motion(r, u), p),
                       transform_point(a * b, p)),
              1e-13);
  }
}

TEST(DualQuat, normalised_blends_are_rigid) {
  Random random(9);
  for (int i = 0; i < 50; ++i) {
    const DualQuat a = rigid_motion(random_rotation(random), random.vector());
    DualQuat b = rigid_motion(random_rotation(random), random.vector());
    if (dot(a.real, b.real) < 0) b = b * -1.0;
    const DualQuat blend = normalized(a * 0.3 + b * 0.7);
    EXPECT_NEAR(dot(blend.real, blend.real), 1, 1e-14);
    EXPECT_NEAR(dot(blend.real, blend.dual), 0, 1e-14);
    const Vec3 p = random.vector(), q = random.vector();
    EXPECT_NEAR(distance(transform_point(blend, p), transform_point(blend, q)), distance(p, q),
                1e-14);
  }
}

TEST(DualQuat, blend_of_one_motion_with_itself_is_that_motion) {
  const DualQuat a = rigid_motion(rotation_about(Vec3{0, 1, 0}, 2.0), Vec3{1, 2, 3});
  const DualQuat blend = normalized(a * 0.2 + a * 0.5);
  EXPECT_LT(distance(transform_point(blend, Vec3{4, 5, 6}), transform_point(a, Vec3{4, 5, 6})),
            1e-14);
}

TEST(DualQuat, blend_that_cancels_out_is_the_identity) {
  const DualQuat a = rigid_motion(rotation_about(Vec3{0, 1, 0}, 2.0), Vec3{1, 2, 3});
  EXPECT_EQ(normalized(a + a * -1.0), DualQuat{});
}

}  // namespace
}  // namespace sinew
