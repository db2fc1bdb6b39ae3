// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/polygons.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sinew {
namespace {

std::vector<Index> range(std::size_t count) {
  std::vector<Index> indices(count);
  for (std::size_t i = 0; i < count; ++i) indices[i] = static_cast<Index>(i);
  return indices;
}

std::vector<Triangle> cut(const std::vector<Vec3>& points) {
  std::vector<Triangle> triangles;
  triangulate_polygon(points, range(points.size()), triangles);
  return triangles;
}

double area_z(const Vec3& a, const Vec3& b, const Vec3& c) { return cross(b - a, c - a).z / 2; }

// Checks that the triangles cover the polygon in the xy plane once: all turn the same way as it
// does, and their areas add up to its own.
void expect_tiles(const std::vector<Vec3>& points) {
  const auto triangles = cut(points);
  ASSERT_EQ(triangles.size(), points.size() - 2);
  double whole = 0, size = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& next = points[(i + 1) % points.size()];
    whole += (points[i].x * next.y - points[i].y * next.x) / 2;
    size = std::max(size, length_squared(points[i]));
  }
  double sum = 0;
  for (const auto& [a, b, c] : triangles) {
    const double area = area_z(points[a], points[b], points[c]);
    EXPECT_GE(area * (whole < 0 ? -1 : 1), -1e-14 * size);
    sum += area;
  }
  EXPECT_NEAR(sum, whole, 1e-12 * size);
}

std::vector<Vec3> star(std::size_t spikes, double inner) {
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < 2 * spikes; ++i) {
    const double angle = 3.14159265358979 * double(i) / double(spikes);
    const double radius = i % 2 == 0 ? 1 : inner;
    points.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
  }
  return points;
}

TEST(Polygons, a_concave_quad_is_cut_at_its_reflex_corner) {
  const std::vector<Vec3> dart = {{0, 0, 0}, {2, 2, 0}, {0, 0.5, 0}, {-2, 2, 0}};
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::vector<Vec3> points = dart;
    std::rotate(points.begin(), points.begin() + std::ptrdiff_t(shift), points.end());
    expect_tiles(points);
    for (const auto& [a, b, c] : cut(points)) {
      EXPECT_GT(area_z(points[a], points[b], points[c]), 0);
    }
  }
}

TEST(Polygons, a_convex_quad_is_cut_along_its_shorter_diagonal) {
  EXPECT_EQ(cut({{0, 0, 0}, {2, -1, 0}, {4, 0, 0}, {2, 1, 0}}),
            (std::vector<Triangle>{{0, 1, 3}, {1, 2, 3}}));
  EXPECT_EQ(cut({{2, -1, 0}, {4, 0, 0}, {2, 1, 0}, {0, 0, 0}}),
            (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(Polygons, size_and_place_do_not_matter) {
  for (const double scale : {1e-150, 1.0, 1e150}) {
    std::vector<Vec3> points = {{0, 0, 0}, {2, 2, 0}, {0, 0.5, 0}, {-2, 2, 0}};
    for (Vec3& p : points) p = p * scale;
    EXPECT_EQ(cut(points), (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
  }
}

TEST(Polygons, stars_and_spirals_are_tiled) {
  expect_tiles(star(5, 0.3));
  expect_tiles(star(40, 0.01));
  std::vector<Vec3> spiral;
  for (int i = 0; i <= 200; ++i) {
    spiral.push_back({i * std::cos(i / 9.0), i * std::sin(i / 9.0), 0});
  }
  for (int i = 200; i > 0; --i) {
    spiral.push_back({(i + 8) * std::cos(i / 9.0), (i + 8) * std::sin(i / 9.0), 0});
  }
  expect_tiles(spiral);
  std::reverse(spiral.begin(), spiral.end());
  expect_tiles(spiral);
}

TEST(Polygons, combs_and_random_stars_are_tiled) {
  std::vector<Vec3> comb = {{0, -1, 0}, {100, -1, 0}};
  for (int i = 100; i > 0; --i) comb.push_back({double(i), i % 2 == 0 ? 10.0 : 0.0, 0});
  expect_tiles(comb);
  std::uint32_t state = 7;
  for (int k = 0; k < 20; ++k) {
    std::vector<Vec3> points = star(30, 1);
    for (Vec3& p : points) {
      state = state * 1664525u + 1013904223u;
      p *= 0.05 + double(state >> 8) / double(1 << 24);
    }
    expect_tiles(points);
  }
}

TEST(Polygons, corners_on_a_straight_edge_make_no_empty_triangle) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0},
                                    {3, 0, 0}, {3, 1, 0}, {0, 1, 0}};
  expect_tiles(points);
  for (const auto& [a, b, c] : cut(points)) {
    EXPECT_GT(area_z(points[a], points[b], points[c]), 0);
  }
  expect_tiles({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}});
}

TEST(Polygons, degenerate_ones_give_as_many_triangles) {
  const std::vector<Vec3> same(7, Vec3{1, 2, 3});
  EXPECT_EQ(cut(same).size(), 5u);
  std::vector<Vec3> line;
  for (int i = 0; i < 6; ++i) line.push_back({double(i), double(i), 0});
  EXPECT_EQ(cut(line).size(), 4u);
  EXPECT_EQ(cut({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {2, 2, 0}, {-1, 3, 0}}).size(), 4u);
  EXPECT_TRUE(cut({{0, 0, 0}, {1, 1, 0}}).empty());
  const double huge = 1.7e308;
  EXPECT_EQ(
      cut({{huge, 0, 0}, {0, huge, 0}, {-huge, 0, 0}, {0, -huge, 0}, {huge, -huge, 0}}).size(), 3u);
}

TEST(Polygons, a_non_planar_one_keeps_its_orientation) {
  std::vector<Vec3> points = star(8, 0.6);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].z = i % 3 == 0 ? 0.1 : -0.1;
  expect_tiles(points);
}

TEST(Polygons, places_lead_to_the_corners) {
  const std::vector<Vec3> points = star(6, 0.4);
  std::vector<Index> corners = range(points.size());
  std::reverse(corners.begin(), corners.end());
  std::vector<Triangle> triangles;
  std::vector<std::array<Index, 3>> places;
  triangulate_polygon(points, corners, triangles, &places);
  ASSERT_EQ(places.size(), triangles.size());
  for (std::size_t t = 0; t < places.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(corners[places[t][k]], triangles[t][k]);
  }
}

TEST(Polygons, many_corners_are_cut_to_the_last) {
  std::vector<Vec3> zigzag;  // few ears at a time, and every corner near every other
  for (int i = 0; i < 10000; ++i) zigzag.push_back({double(i), i % 2 * 1e-3, 0});
  for (int i = 10000; i-- > 0;) zigzag.push_back({double(i), i % 2 * 1e-3 + 5e-4, 0});
  for (const auto& points : {star(5000, 0.5), star(50000, 0.9), zigzag}) {
    EXPECT_EQ(cut(points).size(), points.size() - 2);
  }
  expect_tiles(star(5000, 0.5));
}

}  // namespace
}  // namespace sinew
