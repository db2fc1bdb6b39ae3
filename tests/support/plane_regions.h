// SPDX-License-Identifier: Apache-2.0
// Plane regions to triangulate, and checks that every mesh of one must pass.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/plane/triangulate.h"
#include "tests/support/vec2.h"

namespace sinew {

inline void add_ring(PlaneRegion& region, const std::vector<Vec2>& points) {
  const auto first = static_cast<Index>(region.points.size());
  const auto count = static_cast<Index>(points.size());
  region.points.insert(region.points.end(), points.begin(), points.end());
  for (Index i = 0; i < count; ++i) region.outline.push_back({first + i, first + (i + 1) % count});
}

inline void add_line(PlaneRegion& region, Vec2 a, Vec2 b) {
  const auto first = static_cast<Index>(region.points.size());
  region.points.insert(region.points.end(), {a, b});
  region.lines.push_back({first, first + 1});
}

inline std::vector<Vec2> circle(Vec2 center, double radius, int count) {
  std::vector<Vec2> points;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    points.push_back(center + Vec2{std::cos(angle), std::sin(angle)} * radius);
  }
  return points;
}

inline PlaneRegion rectangle(double width, double height) {
  PlaneRegion region;
  add_ring(region, {{0, 0}, {width, 0}, {width, height}, {0, height}});
  return region;
}

inline double across(Vec2 u, Vec2 v) { return u.x * v.y - u.y * v.x; }
inline double along(Vec2 u, Vec2 v) { return u.x * v.x + u.y * v.y; }

inline double area(const PlaneMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    sum += across(mesh.points[b] - mesh.points[a], mesh.points[c] - mesh.points[a]) / 2;
  }
  return sum;
}

inline double least_angle(const PlaneMesh& mesh, const Triangle& t) {
  double least = 180;
  for (unsigned i = 0; i < 3; ++i) {
    const Vec2 a = mesh.points[t[i]];
    const Vec2 u = mesh.points[t[(i + 1) % 3]] - a, v = mesh.points[t[(i + 2) % 3]] - a;
    least = std::min(least, std::atan2(across(u, v), along(u, v)) * 180 / std::numbers::pi);
  }
  return least;
}

inline double least_angle(const PlaneMesh& mesh) {
  double least = 180;
  for (const Triangle& t : mesh.triangles) least = std::min(least, least_angle(mesh, t));
  return least;
}

inline std::set<std::pair<Index, Index>> edges_of(const PlaneMesh& mesh) {
  std::set<std::pair<Index, Index>> edges;
  for (const Triangle& t : mesh.triangles) {
    for (unsigned i = 0; i < 3; ++i) edges.insert(std::minmax(t[i], t[(i + 1) % 3]));
  }
  return edges;
}

inline double longest_edge(const PlaneMesh& mesh) {
  double longest = 0;
  for (const auto& [a, b] : edges_of(mesh)) {
    longest = std::max(longest, length(mesh.points[b] - mesh.points[a]));
  }
  return longest;
}

inline double shortest_edge(const PlaneMesh& mesh) {
  double shortest = std::numeric_limits<double>::max();
  for (const auto& [a, b] : edges_of(mesh)) {
    shortest = std::min(shortest, length(mesh.points[b] - mesh.points[a]));
  }
  return shortest;
}

// The longer side of the outline's box.
inline double extent_of(const PlaneRegion& region) {
  Vec2 low = region.points.at(region.outline.at(0)[0]), high = low;
  for (const auto& edge : region.outline) {
    for (const Index v : edge) {
      const Vec2 p = region.points[v];
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  return std::max(high.x - low.x, high.y - low.y);
}

// Checks that triangles have an area, that at most one lies on each side of an edge, that every
// vertex is used, and that chains of edges lie on their lines.
inline void expect_valid(const PlaneMesh& mesh, const PlaneRegion& region) {
  std::map<std::pair<Index, Index>, int> sides;
  std::vector<bool> used(mesh.points.size(), false);
  for (const Triangle& t : mesh.triangles) {
    for (const Index v : t) ASSERT_LT(v, mesh.points.size());
    const Vec2 a = mesh.points[t[0]];
    ASSERT_GT(across(mesh.points[t[1]] - a, mesh.points[t[2]] - a), 0);
    for (unsigned i = 0; i < 3; ++i) {
      used[t[i]] = true;
      ASSERT_EQ(++sides[std::make_pair(t[i], t[(i + 1) % 3])], 1);
    }
  }
  EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);

  const double step = extent_of(region) * 0x1p-24;
  for (const PlaneChain& chain : mesh.chains) {
    ASSERT_LT(chain.line, region.lines.size());
    const Vec2 a = region.points[region.lines[chain.line][0]];
    const Vec2 way = region.points[region.lines[chain.line][1]] - a;
    for (std::size_t i = 0; i < chain.vertices.size(); ++i) {
      const Vec2 p = mesh.points[chain.vertices[i]] - a;
      EXPECT_LE(std::fabs(across(way, p)), 2 * step * length(way));
      if (i == 0) continue;
      const Index u = chain.vertices[i - 1], v = chain.vertices[i];
      EXPECT_GT(along(way, mesh.points[v] - mesh.points[u]), 0);
      EXPECT_TRUE(sides.count({u, v}) + sides.count({v, u}) > 0) << u << " " << v;
    }
  }
}

}  // namespace sinew
