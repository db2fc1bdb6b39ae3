// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/edges.h"

#include <algorithm>
#include <cmath>

#include "sinew/measure/detail/require.h"
#include "sinew/measure/detail/rest_edges.h"
#include "sinew/mesh/adjacency.h"

namespace sinew {

namespace detail {

RestEdges::RestEdges(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest) {
  const Adjacency neighbors = vertex_neighbors(rest.size(), triangles);
  const double least = 1e-12 * bounding_box(rest).diagonal();
  edges_.reserve(neighbors.items.size() / 2);
  for (std::size_t v = 0; v < rest.size(); ++v) {
    for (const Index n : neighbors[v]) {
      if (n < v) continue;
      const double length = distance(rest[v], rest[n]);
      if (length > least) {
        edges_.push_back({static_cast<Index>(v), n, length});
      } else {
        ++no_length_;
      }
    }
  }
}

EdgeStretch RestEdges::stretch(const std::vector<Vec3>& deformed) const {
  EdgeStretch result;
  result.edges = edges_.size();
  result.no_length = no_length_;
  double sum = 0, weight = 0;
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const auto& [a, b, before] = edges_[e];
    const double ratio = distance(deformed[a], deformed[b]) / before;
    result.longest = e == 0 ? ratio : std::max(result.longest, ratio);
    result.shortest = e == 0 ? ratio : std::min(result.shortest, ratio);
    sum += before * (ratio - 1) * (ratio - 1);
    weight += before;
  }
  if (weight > 0) result.rms = std::sqrt(sum / weight);
  return result;
}

}  // namespace detail

EdgeStretch edge_stretch(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest,
                         const std::vector<Vec3>& deformed) {
  detail::require_same_mesh(triangles, rest, deformed);
  return detail::RestEdges(triangles, rest).stretch(deformed);
}

}  // namespace sinew
