// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/components.h"

#include <algorithm>
#include <numeric>

#include "sinew/mesh/triangle.h"

namespace sinew {

Components connected_components(std::size_t vertex_count, const std::vector<Triangle>& triangles) {
  require_indices(vertex_count, triangles);
  // Roots are the lowest vertices of their trees; halving paths keeps those flat.
  std::vector<Index> parent(vertex_count);
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index v) {
    while (parent[v] != v) {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
    return v;
  };
  std::vector<bool> used(vertex_count);
  for (const Triangle& t : triangles) {
    for (const Index corner : t) {
      used[corner] = true;
      const Index a = root(t[0]);
      const Index b = root(corner);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }

  Components result;
  result.of_vertex.resize(vertex_count);
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const Index r = root(static_cast<Index>(v));
    result.of_vertex[v] = r == v ? result.count++ : result.of_vertex[r];
    if (!used[v]) ++result.isolated;
  }
  result.of_triangle.reserve(triangles.size());
  for (const Triangle& t : triangles) result.of_triangle.push_back(result.of_vertex[t[0]]);
  return result;
}

}  // namespace sinew
