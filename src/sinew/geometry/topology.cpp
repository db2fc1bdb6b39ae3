// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/topology.h"

#include <algorithm>

#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

struct Edge {
  Index low, high;
  bool upwards;  // the triangle runs from low to high

  bool joins_same(const Edge& other) const { return low == other.low && high == other.high; }
};

bool has_repeated_corner(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

void count_edges(const std::vector<Triangle>& triangles, Topology& result) {
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (const Triangle& t : triangles) {
    if (has_repeated_corner(t)) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const Index from = t[i];
      const Index to = t[(i + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), from < to});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    while (end < edges.size() && edges[end].joins_same(edges[begin])) ++end;
    ++result.edges;
    if (end - begin == 1) ++result.boundary_edges;
    if (end - begin > 2) ++result.non_manifold_edges;
    if (end - begin == 2 && edges[begin].upwards == edges[begin + 1].upwards) {
      ++result.inconsistent_edges;
    }
  }
  result.watertight = result.edges > 0 && result.boundary_edges == 0 &&
                      result.non_manifold_edges == 0 && result.inconsistent_edges == 0;
}

std::size_t count_duplicates(const std::vector<Triangle>& triangles) {
  std::vector<Triangle> sorted;
  sorted.reserve(triangles.size());
  for (Triangle t : triangles) {
    if (has_repeated_corner(t)) continue;
    std::sort(t.begin(), t.end());
    sorted.push_back(t);
  }
  std::sort(sorted.begin(), sorted.end());
  return static_cast<std::size_t>(sorted.end() - std::unique(sorted.begin(), sorted.end()));
}

}  // namespace

Topology inspect(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles) {
  require_sound(positions, triangles);
  Topology result;
  result.vertices = positions.size();
  result.triangles = triangles.size();
  count_edges(triangles, result);
  result.duplicate_triangles = count_duplicates(triangles);
  std::vector<bool> used(positions.size());
  for (const Triangle& t : triangles) {
    for (const Index v : t) used[v] = true;
    if (has_repeated_corner(t) || has_no_area(positions[t[0]], positions[t[1]], positions[t[2]])) {
      ++result.degenerate_triangles;
    }
  }
  result.isolated_vertices = static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
  return result;
}

}  // namespace sinew
