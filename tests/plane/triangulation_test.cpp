// SPDX-License-Identifier: Apache-2.0
#include "sinew/plane/detail/triangulation.h"

#include <algorithm>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "sinew/plane/detail/constrain.h"

namespace sinew::plane {
namespace {

Triangulation empty_box() { return {{-1000, -1000}, {2000, 2000}}; }

// Exact: the links agree, all cells have an area and cover the box, and what may be flipped is
// Delaunay.
void expect_constrained_delaunay(const Triangulation& mesh) {
  std::int64_t area = 0;
  for (std::size_t c = 0; c < mesh.cells().size(); ++c) {
    const Cell& cell = mesh.cells()[c];
    const auto p = mesh.places(cell);
    ASSERT_GT(orient(p[0], p[1], p[2]), 0);
    area += orient(p[0], p[1], p[2]);
    for (unsigned i = 0; i < 3; ++i) {
      if (cell.neighbors[i] == none) continue;
      const Edge edge{static_cast<Index>(c), i}, other = mesh.twin(edge);
      ASSERT_EQ(mesh.from(edge), mesh.to(other));
      ASSERT_EQ(mesh.to(edge), mesh.from(other));
      ASSERT_EQ(mesh.cells()[other.cell].neighbors[other.i], c);
      ASSERT_EQ(mesh.segment(edge), mesh.segment(other));
      if (cell.segments[i] != none) continue;
      EXPECT_FALSE(in_circle(p[0], p[1], p[2], mesh.at(mesh.across(other))));
    }
  }
  EXPECT_EQ(area, 2 * std::int64_t{3000} * 3000);
}

// The vertices of a segment that was fixed, from its first end to its last.
std::vector<Index> path(const Triangulation& mesh, Index whole) {
  std::vector<Index> vertices = {mesh.segments()[whole].a};
  const std::function<void(Index)> add = [&](Index id) {
    const Segment& s = mesh.segments()[id];
    std::vector<Index> children = s.children;
    if (children.empty()) {
      EXPECT_TRUE(vertices.back() == s.a || vertices.back() == s.b);
      vertices.push_back(vertices.back() == s.a ? s.b : s.a);
      const Edge edge = mesh.find(s.a, s.b);
      ASSERT_NE(edge.cell, none);
      EXPECT_EQ(mesh.segment(edge), id);
    }
    if (vertices.back() != s.a) std::reverse(children.begin(), children.end());
    for (const Index child : children) add(child);
  };
  for (const Index child : mesh.segments()[whole].children) add(child);
  return vertices;
}

TEST(Triangulation, random_points_are_delaunay) {
  std::mt19937 random(1);
  Triangulation mesh = empty_box();
  for (int i = 0; i < 2000; ++i) {
    const GridPoint p{static_cast<std::int32_t>(random() % 1000),
                      static_cast<std::int32_t>(random() % 1000)};
    EXPECT_EQ(mesh.at(mesh.insert(p, 0)), p);
  }
  expect_constrained_delaunay(mesh);
}

TEST(Triangulation, points_on_a_grid_on_a_line_and_on_a_circle_are_delaunay) {
  Triangulation mesh = empty_box();
  for (int i = 0; i < 400; ++i) mesh.insert({i % 20, i / 20}, 0);
  for (int i = 0; i < 100; ++i)
    mesh.insert({100 + 5 * (i * 37 % 100), 100 + 7 * (i * 37 % 100)}, 0);
  for (const auto& [x, y] : {std::pair{25, 0}, {24, 7}, {20, 15}, {15, 20}, {7, 24}, {0, 25}}) {
    for (const int sign : {-1, 1}) {
      mesh.insert({-500 + x * sign, -500 + y}, 0);
      mesh.insert({-500 + x * sign, -500 - y}, 0);
    }
  }
  expect_constrained_delaunay(mesh);
}

TEST(Triangulation, a_point_that_is_there_already_is_no_new_one) {
  Triangulation mesh = empty_box();
  const Index v = mesh.insert({3, 4}, 0);
  EXPECT_EQ(mesh.insert({3, 4}, 0), v);
  EXPECT_EQ(mesh.vertices().size(), 5u);
}

TEST(Triangulation, in_circle_is_exact_at_the_ends_of_the_grid) {
  const std::int32_t r = 1 << 24;
  EXPECT_FALSE(in_circle({r, 0}, {0, r}, {-r, 0}, {0, -r}));
  EXPECT_TRUE(in_circle({r, 0}, {0, r}, {-r, 0}, {0, 1 - r}));
  EXPECT_FALSE(in_circle({r, 0}, {0, r}, {-r, 0}, {0, -1 - r}));
  EXPECT_FALSE(in_circle({r, 0}, {r, 1}, {-r, 0}, {-r, 1}));
  EXPECT_TRUE(in_circle({r, 0}, {r, 1}, {-r, 0}, {1 - r, 1}));
}

TEST(Triangulation, no_point_of_a_circle_is_within_it) {
  const std::int64_t radius = 5 * 13 * 17 * 29 * 37;
  std::vector<GridPoint> points;
  for (std::int64_t x = -radius; x <= radius; ++x) {
    const auto y = std::llround(std::sqrt(static_cast<double>(radius * radius - x * x)));
    if (x * x + y * y != radius * radius) continue;
    points.push_back({static_cast<std::int32_t>(x), static_cast<std::int32_t>(-y)});
  }
  ASSERT_GT(points.size(), 200u);  // the lower half, counter-clockwise
  for (std::size_t i = 0; i + 3 < points.size(); ++i) {
    for (std::size_t j = i + 3; j < points.size(); ++j) {
      EXPECT_FALSE(in_circle(points[i], points[i + 1], points[i + 2], points[j]));
      EXPECT_FALSE(in_circle(points[i], points[i + 1], points[j], points[i + 2]));
    }
  }
}

TEST(FixSegment, makes_an_edge_where_none_was) {
  Triangulation mesh = empty_box();
  const Index a = mesh.insert({0, 500}, 0), b = mesh.insert({999, 501}, 0);
  for (int i = 0; i < 50; ++i) mesh.insert({20 * i, i % 2 == 0 ? 480 : 520}, 0);
  ASSERT_EQ(mesh.find(a, b).cell, none);
  EXPECT_EQ(path(mesh, fix_segment(mesh, a, b, true)), (std::vector{a, b}));
  expect_constrained_delaunay(mesh);
}

TEST(FixSegment, goes_through_the_vertices_on_its_way) {
  Triangulation mesh = empty_box();
  const Index a = mesh.insert({0, 0}, 0), b = mesh.insert({900, 300}, 0);
  const Index on = mesh.insert({300, 100}, 0), beside = mesh.insert({600, 201}, 0);
  const Index off = mesh.insert({450, 153}, 0);
  EXPECT_EQ(path(mesh, fix_segment(mesh, a, b, true)), (std::vector{a, on, beside, b}));
  EXPECT_EQ(mesh.find(a, off).cell, none);
  expect_constrained_delaunay(mesh);
}

TEST(FixSegment, crossing_ones_share_a_vertex) {
  Triangulation mesh = empty_box();
  const Index a = mesh.insert({0, 0}, 0), b = mesh.insert({101, 100}, 0);
  const Index c = mesh.insert({0, 100}, 0), d = mesh.insert({103, 0}, 0);
  const Index first = fix_segment(mesh, a, b, true), second = fix_segment(mesh, c, d, true);
  const auto along_first = path(mesh, first), along_second = path(mesh, second);
  ASSERT_EQ(along_first.size(), 3u);
  ASSERT_EQ(along_second.size(), 3u);
  EXPECT_EQ(along_first[1], along_second[1]);
  EXPECT_EQ(mesh.at(along_first[1]), (GridPoint{51, 50}));
  expect_constrained_delaunay(mesh);
}

TEST(FixSegment, two_on_the_same_edge_cancel_as_outlines) {
  Triangulation mesh = empty_box();
  const Index a = mesh.insert({0, 0}, 0), b = mesh.insert({100, 0}, 0);
  fix_segment(mesh, a, b, true);
  const Index id = mesh.segment(mesh.find(a, b));
  EXPECT_TRUE(mesh.segments()[id].outline);
  fix_segment(mesh, b, a, false);
  EXPECT_TRUE(mesh.segments()[id].outline);
  fix_segment(mesh, b, a, true);
  EXPECT_FALSE(mesh.segments()[id].outline);
}

// On a grid as coarse as this nearly every segment meets others in vertices, overlaps them, and has
// its crossings moved by rounding.
TEST(FixSegment, a_thicket_on_a_coarse_grid_is_still_a_triangulation) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const std::int32_t size = 4 + static_cast<std::int32_t>(seed);
    Triangulation mesh = empty_box();
    std::vector<Index> segments;
    for (int i = 0; i < 40; ++i) {
      const auto any = [&] { return static_cast<std::int32_t>(random()) % size; };
      const GridPoint p{any(), any()}, q{any(), any()};
      const Index a = mesh.insert(p, 0), b = mesh.insert(q, 0);
      segments.push_back(fix_segment(mesh, a, b, true));
    }
    expect_constrained_delaunay(mesh);
    for (const Index s : segments) {
      const std::vector<Index> vertices = path(mesh, s);
      EXPECT_EQ(vertices.back(), mesh.segments()[s].b);
    }
  }
}

}  // namespace
}  // namespace sinew::plane
