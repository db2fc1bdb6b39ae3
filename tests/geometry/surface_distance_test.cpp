// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/surface_distance.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

// A grid of n x n squares of size 1 in z = 0.
Surface plate(Index n) {
  Surface s;
  for (Index r = 0; r <= n; ++r) {
    for (Index c = 0; c <= n; ++c) s.positions.push_back({double(c), double(r), 0});
  }
  for (Index r = 0; r < n; ++r) {
    for (Index c = 0; c < n; ++c) {
      const Index at = r * (n + 1) + c;
      s.triangles.push_back({at, at + 1, at + n + 2});
      s.triangles.push_back({at, at + n + 2, at + n + 1});
    }
  }
  return s;
}

std::map<Index, double> as_map(std::span<const SurfaceDistance::Reached> reached) {
  std::map<Index, double> map;
  for (const auto& [vertex, distance] : reached) map[vertex] = distance;
  return map;
}

TEST(SurfaceDistance, is_straight_in_a_plane_from_any_point) {
  const Surface s = plate(12);
  SurfaceDistance distance(s.positions, s.triangles);
  const Triangle corners = s.triangles[150];
  const Vec3 barycentric{0.2, 0.5, 0.3};
  Vec3 source;
  for (std::size_t i = 0; i < 3; ++i) source += s.positions[corners[i]] * barycentric[i];
  const auto reached = as_map(distance.within(corners, barycentric, 4.3));
  for (Index v = 0; v < s.positions.size(); ++v) {
    const double straight = sinew::distance(source, s.positions[v]);
    ASSERT_EQ(reached.count(v), straight <= 4.3 ? 1u : 0u) << v;
    if (straight <= 4.3) {
      EXPECT_NEAR(reached.at(v), straight, 1e-12);
    }
  }
}

TEST(SurfaceDistance, unfolds_around_an_edge) {
  // Two squares at a right angle along the edge x = 0.
  Surface s;
  s.positions = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 1, 1}};
  s.triangles = {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}};
  SurfaceDistance distance(s.positions, s.triangles);
  const auto reached = as_map(distance.within({0, 2, 3}, {0, 1, 0}, 10));
  EXPECT_NEAR(reached.at(5), std::hypot(2, 1), 1e-12);
  EXPECT_NEAR(reached.at(4), 2, 1e-12);
}

TEST(SurfaceDistance, is_near_the_great_circle_on_a_sphere) {
  const Surface s = unit_sphere(40, 60);
  SurfaceDistance distance(s.positions, s.triangles);
  const auto reached = distance.within(s.triangles[0], {1, 0, 0}, 2);
  EXPECT_GT(reached.size(), 1000u);
  for (const auto& [vertex, d] : reached) {
    const double exact = std::acos(std::clamp(s.positions[vertex].z, -1.0, 1.0));
    EXPECT_NEAR(d, exact, 0.002);
  }
  EXPECT_TRUE(std::is_sorted(reached.begin(), reached.end(),
                             [](const auto& a, const auto& b) { return a.distance < b.distance; }));
}

TEST(SurfaceDistance, does_not_jump_over_gaps) {
  Surface s = plate(4);
  const auto first = static_cast<Index>(s.positions.size());
  append(s, moved(plate(4), 1, {0, 0, 1e-6}));
  SurfaceDistance distance(s.positions, s.triangles);
  for (const auto& [vertex, d] : distance.within(s.triangles[7], {0.3, 0.3, 0.4}, 100)) {
    EXPECT_LT(vertex, first);
  }
}

TEST(SurfaceDistance, finds_what_is_near_across_an_edge_with_far_ends) {
  Surface s;
  s.positions = {{-100, 0, 0}, {100, 0, 0}, {0, 0.5, 0}, {0, -0.5, 0}};
  s.triangles = {{0, 1, 2}, {1, 0, 3}};
  SurfaceDistance distance(s.positions, s.triangles);
  const auto reached = as_map(distance.within({0, 1, 2}, {0.5, 0.5, 0}, 1));
  EXPECT_EQ(reached.size(), 2u);
  EXPECT_NEAR(reached.at(3), 0.5, 1e-12);
}

TEST(SurfaceDistance, degenerate_and_non_manifold_triangles_do_no_harm) {
  Surface s = plate(3);
  s.triangles.push_back({0, 0, 1});
  s.triangles.push_back({0, 1, 2});  // in one line
  s.triangles.push_back({0, 1, 5});
  SurfaceDistance distance(s.positions, s.triangles);
  for (const auto& [vertex, d] : distance.within({0, 0, 1}, {0.5, 0, 0.5}, 50)) {
    EXPECT_TRUE(std::isfinite(d));
    EXPECT_GE(d, sinew::distance(s.positions[vertex], Vec3{0.5, 0, 0}) - 1e-12);
  }
  EXPECT_EQ(bad_input([&] {
              SurfaceDistance(s.positions, {{0, 1, 99}});
            }),
            "triangle 0: refers to vertex 99, but there are only 16 vertices");
}

}  // namespace
}  // namespace sinew
