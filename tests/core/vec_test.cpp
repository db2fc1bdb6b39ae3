// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/vec.h"

#include <limits>

#include <gtest/gtest.h>

#include "sinew/core/mat3.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

TEST(Vec, cross_is_right_handed_and_perpendicular) {
  EXPECT_EQ(cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}), (Vec3{0, 0, 1}));
  const Vec3 a{1, 2, 3}, b{-4, 5, 6};
  EXPECT_EQ(dot(cross(a, b), a), 0);
  EXPECT_EQ(dot(cross(a, b), b), 0);
}

TEST(Vec, components_are_numbered_in_order) {
  Vec3 v{1, 2, 3};
  v[1] = 7;
  EXPECT_EQ(v, (Vec3{1, 7, 3}));
  Vec4 w{1, 2, 3, 4};
  w[3] = 9;
  EXPECT_EQ(w, (Vec4{1, 2, 3, 9}));
}

TEST(Vec, tiny_and_huge_vectors_keep_their_direction) {
  for (const double size : {1e-300, 1e-20, 1.0, 1e20, 1e300}) {
    const Vec3 u = normalized(Vec3{3, 0, -4} * size);
    EXPECT_NEAR(u.x, 0.6, 1e-15);
    EXPECT_NEAR(u.z, -0.8, 1e-15);
  }
}

TEST(Vec, vectors_without_direction_take_the_fallback) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Vec3 fallback{0, 0, 1};
  EXPECT_EQ(normalized(Vec3{0, 0, 0}, fallback), fallback);
  EXPECT_EQ(normalized(Vec3{infinity, 0, 0}, fallback), fallback);
  EXPECT_EQ(normalized(Vec3{std::nan(""), 1, 0}, fallback), fallback);
}

TEST(Vec, any_perpendicular_is_a_unit_vector_at_a_right_angle) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3 u = normalized(random.vector());
    EXPECT_NEAR(dot(u, any_perpendicular(u)), 0, 1e-15);
    EXPECT_NEAR(length(any_perpendicular(u)), 1, 1e-15);
  }
}

TEST(Vec, lerp_reaches_both_ends_exactly) {
  const Vec3 a{0.1, 0.2, 0.3}, b{1e9, -7, 1e-9};
  EXPECT_EQ(lerp(a, b, 0.0), a);
  EXPECT_EQ(lerp(a, b, 1.0), b);
}

TEST(Mat3, columns_are_the_images_of_the_axes) {
  const Mat3 m{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  EXPECT_EQ((m * Vec3{0, 1, 0}), m.y);
  EXPECT_EQ(transpose(m).x, (Vec3{1, 4, 7}));
  EXPECT_EQ(determinant(m), -3);
}

TEST(Mat3, product_applies_the_right_one_first) {
  const Mat3 a{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  const Mat3 b{{0, 1, 0}, {-1, 0, 2}, {3, 0, 1}};
  const Vec3 v{1, -2, 3};
  EXPECT_EQ((a * b) * v, a * (b * v));
}

TEST(Mat3, inverse_and_adjugate_undo_the_matrix) {
  const Mat3 m{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  const Mat3 identity = inverse(m) * m;
  EXPECT_LT(distance(identity.x, Vec3{1, 0, 0}) + distance(identity.y, Vec3{0, 1, 0}) +
                distance(identity.z, Vec3{0, 0, 1}),
            1e-13);
  const Mat3 singular{{1, 2, 3}, {2, 4, 6}, {7, 8, 10}};
  EXPECT_EQ(adjugate(singular) * singular, diagonal(Vec3{0, 0, 0}));
}

}  // namespace
}  // namespace sinew
