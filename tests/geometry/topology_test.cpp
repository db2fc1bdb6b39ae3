// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/topology.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

Topology report(const Surface& s) { return inspect(s.positions, s.triangles); }

TEST(Topology, closed_sphere_is_watertight) {
  for (const double scale : {1e-9, 1.0, 1e9}) {
    const Surface s = moved(unit_sphere(6, 9), scale, {0, 0, 0});
    Topology expected;
    expected.vertices = s.positions.size();
    expected.triangles = s.triangles.size();
    expected.edges = s.positions.size() + s.triangles.size() - 2;  // Euler's formula
    expected.watertight = true;
    EXPECT_EQ(report(s), expected);
  }
}

TEST(Topology, missing_triangle_leaves_three_boundary_edges) {
  Surface s = cube();
  s.triangles.pop_back();
  EXPECT_EQ(report(s).boundary_edges, 3u);
  EXPECT_FALSE(report(s).watertight);
}

TEST(Topology, flipped_triangle_has_three_inconsistent_edges) {
  Surface s = cube();
  std::swap(s.triangles[4][0], s.triangles[4][1]);
  EXPECT_EQ(report(s).inconsistent_edges, 3u);
  EXPECT_FALSE(report(s).watertight);
  Surface turned = cube();
  flip(turned);
  EXPECT_TRUE(report(turned).watertight);
}

TEST(Topology, fin_on_an_edge_is_not_manifold) {
  Surface s = cube();
  s.positions.push_back({5, 5, 5});
  s.triangles.push_back({0, 1, 8});
  EXPECT_EQ(report(s).non_manifold_edges, 1u);
  EXPECT_EQ(report(s).boundary_edges, 2u);
  EXPECT_FALSE(report(s).watertight);
}

TEST(Topology, duplicates_count_whichever_way_round) {
  Surface s = cube();
  const auto [a, b, c] = s.triangles[0];
  s.triangles.push_back({b, c, a});
  s.triangles.push_back({c, b, a});
  EXPECT_EQ(report(s).duplicate_triangles, 2u);
  EXPECT_EQ(report(s).non_manifold_edges, 3u);
}

TEST(Topology, triangles_without_area_are_degenerate_at_any_scale) {
  for (const double scale : {1e-9, 1.0, 1e9}) {
    Surface s;
    s.positions = {{0, 0, 0}, {0.1, 0.1, 0.1}, {0.3, 0.3, 0.3}, {0.1, 0, 0}, {0, 1e-9, 0}};
    s = moved(s, scale, {0, 0, 0});
    s.triangles = {{0, 1, 2}, {0, 3, 3}, {0, 3, 4}};
    EXPECT_EQ(report(s).degenerate_triangles, 2u);
    EXPECT_EQ(report(s).edges, 6u);  // {0, 3, 3} has none
  }
}

TEST(Topology, vertices_in_no_triangle_are_isolated) {
  Surface s = cube();
  s.positions.push_back({0, 0, 0});
  EXPECT_EQ(report(s).isolated_vertices, 1u);
  EXPECT_TRUE(report(s).watertight);
}

TEST(Topology, nothing_is_not_watertight) { EXPECT_EQ(inspect({}, {}), Topology{}); }

TEST(Topology, bad_input_is_refused) {
  EXPECT_EQ(bad_input([&] {
              inspect({{0, 0, 0}}, {{0, 0, 1}});
            }),
            "triangle 0: refers to vertex 1, but there are only 1 vertices");
}

}  // namespace
}  // namespace sinew
