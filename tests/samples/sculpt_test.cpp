// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/detail/sculpt.h"

#include <gtest/gtest.h>

#include "tests/samples/surface_checks.h"

namespace sinew::samples {
namespace {

Primitive ball(const Vec3& center, double radius) {
  Primitive primitive;
  primitive.a = primitive.b = center;
  primitive.radius_a = primitive.radius_b = radius;
  return primitive;
}

// A thick body with two thin arms that want smaller triangles.
Field star() {
  std::vector<Primitive> flesh{ball({0, 0, 0}, 0.5)};
  for (const double side : {1.0, -1.0}) {
    Primitive arm = ball({side * 0.3, 0.2, 0}, 0.15);
    arm.b = {side * 1.5, 0.8, 0.3};
    arm.radius_b = 0.04;
    arm.blend = 0.1;
    arm.detail = 0.4;
    flesh.push_back(arm);
  }
  return Field(flesh);
}

TEST(Implicit, distance_to_a_tapered_capsule_is_that_to_its_nearest_ball) {
  Primitive primitive = ball({0.1, -0.2, 0.3}, 0.4);
  primitive.b = {1.2, 0.5, -0.4};
  primitive.radius_b = 0.1;
  const Cone cone(primitive);
  for (int i = 0; i < 200; ++i) {
    const Vec3 p{std::sin(i * 1.7) * 2, std::sin(i * 2.3) * 2, std::sin(i * 3.1) * 2};
    double nearest = 1e9;
    for (int k = 0; k <= 20000; ++k) {
      const double t = k / 20000.0;
      nearest = std::min(nearest, distance(p, lerp(primitive.a, primitive.b, t)) -
                                      (primitive.radius_a * (1 - t) + primitive.radius_b * t));
    }
    EXPECT_NEAR(cone.distance(p).value, nearest, 1e-6);
  }
}

TEST(Implicit, gradients_are_derivatives_of_the_union) {
  const Field field = star();
  for (int i = 1; i < 200; ++i) {
    const Vec3 p{std::sin(i * 1.7) * 1.2, std::sin(i * 2.3) * 0.6, std::sin(i * 3.1) * 0.4};
    const Distance d = field.distance(p);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Vec3 step;
      step[axis] = 1e-6;
      const double slope = (field.distance(p + step).value - field.distance(p - step).value) / 2e-6;
      EXPECT_NEAR(d.gradient[axis], slope, 1e-9);
    }
  }
}

TEST(Implicit, grid_changes_no_value) {
  const Field field = star();
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p{std::sin(i * 1.7) * 1.8, std::sin(i * 2.3), std::sin(i * 3.1) * 0.7};
    std::vector<Share> shares;
    field.shares(p, shares);
    double folded = field.cones()[0].distance(p).value;
    for (std::size_t c = 1; c < field.cones().size(); ++c) {
      const double next = field.cones()[c].distance(p).value, k = field.cones()[c].blend();
      const double overlap = std::max(k - std::fabs(folded - next), 0.0) / k;
      folded = std::min(folded, next) - overlap * overlap * k / 4;
    }
    EXPECT_NEAR(field.distance(p).value, folded, 1e-12);
    double sum = 0;
    for (const Share& share : shares) sum += share.share;
    EXPECT_NEAR(sum, 1.0, 1e-12);
  }
}

TEST(Polygonize, any_lattice_gives_a_closed_manifold) {
  const Field field = star();
  for (const double edge : {0.3, 0.1, 0.04}) {
    const Surface surface = polygonize(field, edge, false);
    const SurfaceReport report = report_on(surface.positions, surface.triangles);
    EXPECT_EQ(report.bad_edges, 0u);
    EXPECT_EQ(report.border_edges, 0u);
    EXPECT_EQ(report.split_vertices, 0u);
    EXPECT_EQ(report.parts, 1u);
    EXPECT_GT(report.volume, 0.5);
  }
}

TEST(Polygonize, a_half_ends_in_the_mirror_plane_and_its_double_is_closed) {
  const Surface half = polygonize(star(), 0.1, true);
  for (const Vec3& p : half.positions) EXPECT_GE(p.x, 0);
  const Surface whole = with_mirror_image(half);
  const SurfaceReport report = report_on(whole.positions, whole.triangles);
  EXPECT_EQ(report.bad_edges, 0u);
  EXPECT_EQ(report.border_edges, 0u);
  EXPECT_EQ(report.split_vertices, 0u);
}

TEST(Sculpt, ball_has_its_volume_and_area) {
  const Field field({ball({0.3, 0.1, -0.2}, 2)});
  const Surface surface = sculpt(field, 5000, false);
  const SurfaceReport report = report_on(surface.positions, surface.triangles);
  EXPECT_NEAR(report.area, 4 * pi * 4, 0.003 * 4 * pi * 4);
  EXPECT_NEAR(report.volume, 4.0 / 3 * pi * 8, 0.003 * 4.0 / 3 * pi * 8);
  for (const Vec3& p : surface.positions) {
    EXPECT_NEAR(distance(p, {0.3, 0.1, -0.2}), 2.0, 1e-9);
  }
}

TEST(Sculpt, triangles_are_well_shaped_and_smaller_where_detail_is_asked_for) {
  const Field field = star();
  for (const bool symmetric : {false, true}) {
    const Surface surface = sculpt(field, 5000, symmetric);
    EXPECT_NEAR(static_cast<double>(surface.positions.size()), 5000.0, 2.0);
    const SurfaceReport report = report_on(surface.positions, surface.triangles);
    EXPECT_EQ(report.bad_edges + report.border_edges + report.split_vertices, 0u);
    EXPECT_LT(report.narrow_angles, 0.001);
    EXPECT_GT(report.mean_least_angle, 42);
    double body = 0, arms = 0;
    std::size_t body_count = 0, arm_count = 0;
    for (const Triangle& t : surface.triangles) {
      const Vec3& p = surface.positions[t[0]];
      const double edge = distance(p, surface.positions[t[1]]);
      if (p.x > 0.8) {
        arms += edge;
        ++arm_count;
      } else if (p.y < -0.1) {
        body += edge;
        ++body_count;
      }
    }
    EXPECT_NEAR(arms / static_cast<double>(arm_count) / (body / static_cast<double>(body_count)),
                0.4, 0.1);
  }
}

TEST(Sculpt, flat_shape_lies_in_the_plane_and_covers_its_outline) {
  Primitive bar = ball({-1, 0, 0}, 0.5);
  bar.b = {1, 0, 0};
  const Surface surface = sculpt_flat(Field({bar}), 2000);
  const SurfaceReport report = report_on(surface.positions, surface.triangles);
  EXPECT_NEAR(static_cast<double>(surface.positions.size()), 2000.0, 2.0);
  EXPECT_NEAR(report.area, 2 + pi * 0.25, 0.001 * 3);
  EXPECT_EQ(report.bad_edges + report.split_vertices, 0u);
  EXPECT_LT(report.narrow_angles, 0.01);
  for (const Vec3& p : surface.positions) EXPECT_EQ(p.z, 0);
}

}  // namespace
}  // namespace sinew::samples
