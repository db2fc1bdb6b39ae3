// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/triangle.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

// The least distance over a grid of barycentric coordinates: an upper bound, off by the grid's
// step.
double sampled_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, int steps) {
  double best = distance(p, a);
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; i + j <= steps; ++j) {
      const double u = static_cast<double>(i) / steps;
      const double v = static_cast<double>(j) / steps;
      best = std::fmin(best, distance(p, a * (1 - u - v) + b * u + c * v));
    }
  }
  return best;
}

TEST(Triangle, nearest_point_is_no_farther_than_any_sample_and_lies_on_the_triangle) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const Vec3 a = random.vector(), b = random.vector(), c = random.vector();
    const Vec3 p = random.vector() * 2.0;
    const TrianglePoint near = closest_on_triangle(p, a, b, c);
    const Vec3& w = near.barycentric;
    EXPECT_GE(std::fmin(w.x, std::fmin(w.y, w.z)), 0);
    EXPECT_NEAR(w.x + w.y + w.z, 1, 1e-14);
    EXPECT_LT(distance(a * w.x + b * w.y + c * w.z, p + near.offset), 1e-14);
    const double d = std::sqrt(near.distance_squared);
    EXPECT_NEAR(d, length(near.offset), 1e-15);
    const double sampled = sampled_distance(p, a, b, c, 40);
    EXPECT_LE(d, sampled + 1e-14);
    EXPECT_GE(d, sampled - 0.1);
  }
}

TEST(Triangle, triangle_without_area_counts_as_its_longest_edge) {
  const Vec3 a{0.1, 0.2, 0.3}, d{0.7, -0.3, 0.9};
  const Vec3 p{0.9, 0.4, 0.8};
  const double t = closest_on_segment(p, a, a + d);
  const double expected = distance(p, a + d * t);
  ASSERT_TRUE(t > 0.05 && t < 0.95);
  for (const double middle : {0.0, 0.3, 0.5, 1.0}) {
    const TrianglePoint near = closest_on_triangle(p, a, a + d * middle, a + d);
    EXPECT_NEAR(std::sqrt(near.distance_squared), expected, 1e-14);
  }
  EXPECT_NEAR(std::sqrt(closest_on_triangle(p, a, a, a).distance_squared), distance(p, a), 1e-15);
}

TEST(Triangle, needle_is_as_near_as_its_edges) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Vec3 a = random.vector(), d = random.vector(), p = random.vector();
    const double s = 0.5 + 0.4 * random.number();
    const Vec3 b = a + d, c = a + d * s + random.vector() * 1e-15;
    const double expected = distance(p, a + d * closest_on_segment(p, a, b));
    EXPECT_NEAR(std::sqrt(closest_on_triangle(p, a, b, c).distance_squared), expected, 1e-13);
  }
}

TEST(Triangle, solid_angle_of_an_octant_is_half_pi_and_changes_sign_with_the_side) {
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  EXPECT_NEAR(solid_angle({0, 0, 0}, x, y, z), pi / 2, 1e-14);
  EXPECT_NEAR(solid_angle({0, 0, 0}, x, z, y), -pi / 2, 1e-14);
}

TEST(Triangle, solid_angle_in_the_plane_is_zero) {
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  for (const Vec3& p : {Vec3{0.25, 0.25, 0}, Vec3{2, 2, 0}, a, b, Vec3{0.5, 0.5, 0}}) {
    EXPECT_EQ(solid_angle(p, a, b, c), 0);
  }
  EXPECT_EQ(solid_angle({0.3, 0.2, 0.1}, a, b, b), 0);
}

TEST(Triangle, unsound_meshes_are_named_by_their_first_fault) {
  const std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}};
  try {
    require_sound(positions, {{0, 1, 2}});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.place(), "vertex 2");
  }
  try {
    require_indices(3, {{0, 1, 2}, {0, 1, 3}});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.place(), "triangle 1");
  }
}

}  // namespace
}  // namespace sinew
