// SPDX-License-Identifier: Apache-2.0
// How well shaped the triangles of a region are.
#include <random>

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

// Their outlines have right angles alone, and touch themselves at corners.
TEST(RefinePlane, no_angle_is_below_the_least_in_random_sets_of_squares) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    PlaneRegion region;
    const Index side = 9;
    const auto corner = [&](Index x, Index y) { return y * side + x; };
    for (Index i = 0; i < side * side; ++i) {
      region.points.push_back({static_cast<double>(i % side), static_cast<double>(i / side)});
    }
    double squares = 0;
    for (Index y = 0; y + 1 < side; ++y) {
      for (Index x = 0; x + 1 < side; ++x) {
        if (random() % 5 < 2) continue;
        const std::array<Index, 5> ring = {corner(x, y), corner(x + 1, y), corner(x + 1, y + 1),
                                           corner(x, y + 1), corner(x, y)};
        for (std::size_t i = 0; i < 4; ++i) region.outline.push_back({ring[i], ring[i + 1]});
        ++squares;
      }
    }
    add_line(region, {0.3, 0.45}, {7.2, 6.1});
    const PlaneMesh mesh = triangulate(
        region, {.max_edge = seed % 2 == 0 ? 2.0 : 0.3, .min_edge = 0.002, .grading = 2});
    expect_valid(mesh, region);
    EXPECT_NEAR(area(mesh), squares, 1e-5);
    EXPECT_GE(least_angle(mesh), 20);
    EXPECT_LT(mesh.points.size(), 2500u);
  }
}

TEST(RefinePlane, angles_hold_where_edges_are_not_much_longer_than_the_grid_is_wide) {
  for (int i = 0; i < 20; ++i) {
    PlaneRegion region = rectangle(1, 1);
    add_ring(region, circle({0.31 + 0.01 * i, 0.42}, 2.5e-5, 40));
    const PlaneMesh mesh = triangulate(region, {.max_edge = 1, .min_edge = 4e-6, .grading = 2});
    EXPECT_GE(least_angle(mesh), 20);
    EXPECT_LT(mesh.points.size(), 300u);
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
  EXPECT_LT(mesh.points.size(), 250u);
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

TEST(RefinePlane, only_the_input_has_edges_below_the_shortest) {
  PlaneRegion region;
  add_ring(region, {{0, 0}, {1, 0}, {1, 1}, {0.53, 1}, {0.52, 0.99}, {0.5, 1}, {0, 1}, {0, 0.98}});
  add_line(region, {0.3, 0.2}, {0.6, 0.23});
  add_line(region, {0.3, 0.21}, {0.6, 0.25});
  const double least = 0.05;
  const PlaneMesh mesh = triangulate(region, {.max_edge = 0.3, .min_edge = least});
  expect_valid(mesh, region);
  const auto is_given = [&](Index v) {
    return std::count(mesh.vertex_of.begin(), mesh.vertex_of.end(), v) > 0;
  };
  const auto is_on_line = [&](Index v) {
    return std::any_of(mesh.chains.begin(), mesh.chains.end(), [&](const PlaneChain& chain) {
      return std::count(chain.vertices.begin(), chain.vertices.end(), v) > 0;
    });
  };
  for (const auto& [a, b] : edges_of(mesh)) {
    if (length(mesh.points[b] - mesh.points[a]) >= least) continue;
    EXPECT_TRUE((is_given(a) && is_given(b)) || (is_on_line(a) && is_on_line(b)));
  }
}

// Wherever it is, an edge is little longer than those of the input, plus the way there times the
// grading.
TEST(RefinePlane, edges_grow_no_faster_than_asked) {
  PlaneRegion region;
  add_ring(region, {{0, 0}, {10, 0}, {10, 10}, {5.2, 10}, {5.1, 9.9}, {5, 10}, {0, 10}});
  add_line(region, {5, 8}, {5.3, 8});
  add_line(region, {4.5, 7.5}, {4.5, 7.5});
  for (const double grading : {0.1, 0.3}) {
    const PlaneMesh mesh =
        triangulate(region, {.max_edge = 4, .min_edge = 0.01, .grading = grading});
    for (const auto& [a, b] : edges_of(mesh)) {
      const Vec2 middle = (mesh.points[a] + mesh.points[b]) * 0.5;
      double allowed = 4;
      for (const auto& edges : {region.outline, region.lines}) {
        for (const auto& [from, to] : edges) {
          const Vec2 p = region.points[from], q = region.points[to];
          if (p == q) continue;
          allowed = std::min({allowed, 1.5 * length(q - p) + grading * length(middle - p),
                              1.5 * length(q - p) + grading * length(middle - q)});
        }
      }
      EXPECT_LT(length(mesh.points[b] - mesh.points[a]), 1.25 * allowed)
          << middle.x << " " << middle.y;
    }
  }
}

TEST(RefinePlane, roundings_along_a_line_do_not_add_up) {
  PlaneRegion region = rectangle(1, 1);
  add_line(region, {0.1, 0.2}, {0.9, 0.2 + std::sqrt(0.1)});
  const Vec2 start = region.points[4], way = region.points[5] - start;
  const PlaneMesh mesh = triangulate(region, {.max_edge = 0.003});
  ASSERT_EQ(mesh.chains.size(), 1u);
  ASSERT_GT(mesh.chains[0].vertices.size(), 250u);
  double most = 0;
  for (const Index v : mesh.chains[0].vertices) {
    most = std::max(most, std::fabs(across(way, mesh.points[v] - start)) / length(way));
  }
  // Half a diagonal for the vertex and one for the line's ends.
  EXPECT_LT(most, std::sqrt(2) * 0x1p-24);
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
  // Shells around the middle keep them few: with more it would not end for the angles' sake.
  EXPECT_LT(mesh.points.size(), 850u);
}

}  // namespace
}  // namespace sinew
