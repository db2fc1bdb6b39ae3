// SPDX-License-Identifier: Apache-2.0
// How well shaped the triangles of a region are.
#include <gtest/gtest.h>

#include "tests/support/plane_regions.h"

namespace sinew {
namespace {

TEST(RefinePlane, no_angle_is_below_the_least_where_the_outline_is_smooth) {
  PlaneRegion region;
  std::vector<Vec2> blob = circle({0, 0}, 1, 160);
  for (std::size_t i = 0; i < blob.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / 160;
    blob[i] = blob[i] * (1 + 0.3 * std::cos(5 * angle));
  }
  add_ring(region, blob);
  add_ring(region, circle({0.2, 0.1}, 0.2, 30));
  add_line(region, {-0.5, -0.3}, {-0.1, 0.5});
  add_line(region, {-0.5, -0.3}, {0.4, -0.4});
  for (const double angle : {15.0, 20.0, 25.0}) {
    const PlaneMesh mesh =
        triangulate(region, {.min_angle = angle, .max_edge = 0.2, .min_edge = 0.005});
    expect_valid(mesh, region);
    EXPECT_GE(least_angle(mesh), angle);
  }
}

TEST(RefinePlane, angles_are_small_only_in_the_corner_of_a_spike) {
  const double slope = std::tan(5 * std::numbers::pi / 180);
  PlaneRegion region;
  add_ring(region, {{0, 0}, {1, 0}, {1, 1}, {0.5, 1}, {0.5, slope * 0.5}});
  const PlaneMesh mesh = triangulate(region, {.max_edge = 0.1, .min_edge = 0.0005});
  expect_valid(mesh, region);
  EXPECT_NEAR(area(mesh), 0.5 + 0.125 * slope, 1e-6);
  for (const Triangle& t : mesh.triangles) {
    if (least_angle(mesh, t) >= 20) continue;
    // All of its corners are on the spike's legs, which lie 5 degrees apart.
    for (const Index v : t) {
      const Vec2 p = mesh.points[v];
      EXPECT_LE(p.x, 0.5 + 1e-6);
      EXPECT_TRUE(p.y < 1e-6 || std::fabs(p.y - slope * p.x) < 1e-6) << p.x << " " << p.y;
    }
  }
  EXPECT_LT(mesh.points.size(), 600u);
}

TEST(RefinePlane, edges_are_as_long_as_allowed_far_from_fine_outlines) {
  PlaneRegion region;
  add_ring(region, circle({0, 0}, 1, 500));
  const PlaneMesh mesh = triangulate(region, {.max_edge = 0.2, .min_edge = 0.002});
  EXPECT_LE(longest_edge(mesh), 0.2);
  EXPECT_GT(longest_edge(mesh), 0.19);
  double inner = 0, count = 0;
  for (const auto& [a, b] : edges_of(mesh)) {
    if (length(mesh.points[a]) > 0.4 || length(mesh.points[b]) > 0.4) continue;
    inner += length(mesh.points[b] - mesh.points[a]);
    ++count;
  }
  EXPECT_GT(inner / count, 0.1);
  // Each row of triangles may be about half as large again as the one before it.
  EXPECT_LT(mesh.points.size(), 500u * 5);

  const PlaneMesh slow = triangulate(region, {.max_edge = 0.2, .min_edge = 0.002, .grading = 0.1});
  EXPECT_GT(slow.points.size(), mesh.points.size() * 2);
}

TEST(RefinePlane, needs_few_triangles_where_all_edges_are_as_long) {
  const PlaneMesh mesh = triangulate(rectangle(2, 1), {.max_edge = 0.05});
  // So many would do if all had three edges of that length.
  const double least = 2 / (std::sqrt(3) / 4 * 0.05 * 0.05);
  EXPECT_LT(static_cast<double>(mesh.triangles.size()), 3.5 * least);
  EXPECT_GE(least_angle(mesh), 20);
}

TEST(RefinePlane, nothing_is_refined_below_the_shortest_edge) {
  const double slope = std::tan(2 * std::numbers::pi / 180);
  PlaneRegion region;
  add_ring(region, {{0, 0}, {1, 0}, {1, slope}});
  add_line(region, {0, 0.5}, {1, slope * 0.4});
  for (const double least : {0.03, 0.01}) {
    const PlaneMesh mesh = triangulate(region, {.max_edge = 0.3, .min_edge = least});
    expect_valid(mesh, region);
    // Along the legs; across them it is the input that has shorter ones.
    for (const auto& [a, b] : edges_of(mesh)) {
      const Vec2 p = mesh.points[a], q = mesh.points[b];
      const bool on_leg = p.y < 1e-6 && q.y < 1e-6;
      EXPECT_TRUE(!on_leg || std::fabs(p.x - q.x) >= least * 0.999);
    }
  }
}

TEST(RefinePlane, ends_where_many_lines_meet_in_one_point) {
  PlaneRegion region = rectangle(1, 1);
  region.points.push_back({0.5, 0.5});
  for (const Vec2 p : circle({0.5, 0.5}, 0.4, 90)) {
    region.points.push_back(p);
    region.lines.push_back({4, static_cast<Index>(region.points.size() - 1)});
  }
  const PlaneMesh mesh = triangulate(region, {.max_edge = 0.1, .min_edge = 0.005});
  expect_valid(mesh, region);
  EXPECT_EQ(mesh.chains.size(), 90u);
  EXPECT_LT(mesh.points.size(), 6000u);
}

}  // namespace
}  // namespace sinew
