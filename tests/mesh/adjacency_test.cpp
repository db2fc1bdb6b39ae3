// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/adjacency.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

std::vector<Index> list(std::span<const Index> items) { return {items.begin(), items.end()}; }

TEST(Adjacency, neighbors_are_sorted_and_named_once) {
  const Adjacency n = vertex_neighbors(6, {{2, 1, 0}, {1, 2, 3}, {3, 3, 1}}, {{0, 1, 2, 5}});
  EXPECT_EQ(list(n[0]), (std::vector<Index>{1, 2, 5}));
  EXPECT_EQ(list(n[1]), (std::vector<Index>{0, 2, 3, 5}));
  EXPECT_EQ(list(n[3]), (std::vector<Index>{1, 2}));
  EXPECT_TRUE(n[4].empty());
}

TEST(Adjacency, triangles_around_a_vertex_are_named_once) {
  const Adjacency t = vertex_triangles(5, {{2, 1, 0}, {1, 2, 3}, {3, 3, 1}});
  EXPECT_EQ(list(t[1]), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(list(t[3]), (std::vector<Index>{1, 2}));
  EXPECT_TRUE(t[4].empty());
}

TEST(Adjacency, triangles_around_a_group_are_named_once) {
  // Vertices 3 and 4 are where 0 and 1 are, as beside a seam.
  const Adjacency t =
      vertex_triangles(5, {{2, 1, 0}, {3, 4, 2}, {0, 3, 2}}, std::vector<Index>{0, 1, 2, 0, 1});
  EXPECT_EQ(list(t[0]), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(list(t[1]), (std::vector<Index>{0, 1}));
  EXPECT_TRUE(t[3].empty());
  for (const std::vector<Index>& groups : {std::vector<Index>{0, 1}, std::vector<Index>{0, 1, 3}}) {
    EXPECT_EQ(wrong_usage([&] {
                vertex_triangles(3, {{0, 1, 2}}, groups);
              }),
              "there must be a group below their number for each vertex, or none");
  }
}

TEST(Adjacency, places_lead_back_from_welded_vertices) {
  const Adjacency p = places_of(std::vector<Index>{1, 0, 1, 2}, 3);
  EXPECT_EQ(list(p[0]), (std::vector<Index>{1}));
  EXPECT_EQ(list(p[1]), (std::vector<Index>{0, 2}));
}

TEST(Adjacency, indices_out_of_range_are_errors) {
  EXPECT_EQ(bad_input([&] {
              vertex_neighbors(2, {{0, 1, 2}});
            }),
            "triangle 0: refers to vertex 2, but there are only 2 vertices");
  EXPECT_EQ(bad_input([&] {
              vertex_neighbors(3, {}, {{0, 1, 2, 3}});
            }),
            "tetrahedron 0: refers to a vertex beyond the 3 there are");
  EXPECT_EQ(bad_input([&] {
              vertex_triangles(2, {{0, 1, 2}});
            }),
            "triangle 0: refers to vertex 2, but there are only 2 vertices");
}

}  // namespace
}  // namespace sinew
