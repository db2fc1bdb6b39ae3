// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/components.h"

#include "sinew/core/internal/disjoint_sets.h"
#include "sinew/mesh/triangle.h"

namespace sinew {

Components connected_components(std::size_t vertex_count, const std::vector<Triangle>& triangles) {
  require_indices(vertex_count, triangles);
  DisjointSets sets(vertex_count);
  std::vector<bool> used(vertex_count);
  for (const Triangle& t : triangles) {
    for (const Index corner : t) {
      used[corner] = true;
      sets.join(t[0], corner);
    }
  }

  Components result;
  result.of_vertex.resize(vertex_count);
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const std::size_t r = sets.find(v);
    result.of_vertex[v] = r == v ? result.count++ : result.of_vertex[r];
    if (!used[v]) ++result.isolated;
  }
  result.of_triangle.reserve(triangles.size());
  for (const Triangle& t : triangles) result.of_triangle.push_back(result.of_vertex[t[0]]);
  return result;
}

}  // namespace sinew
