// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/edges.h"

#include <algorithm>
#include <cmath>

#include "sinew/measure/detail/require.h"
#include "sinew/mesh/adjacency.h"

namespace sinew {

EdgeStretch edge_stretch(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest,
                         const std::vector<Vec3>& deformed) {
  detail::require_same_mesh(triangles, rest, deformed);
  const Adjacency neighbors = vertex_neighbors(rest.size(), triangles);
  const double least = 1e-12 * bounding_box(rest).diagonal();
  EdgeStretch result;
  double sum = 0, weight = 0;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    for (const Index n : neighbors[v]) {
      if (n < v) continue;
      const double before = distance(rest[v], rest[n]);
      if (!(before > least)) {
        ++result.no_length;
        continue;
      }
      const double ratio = distance(deformed[v], deformed[n]) / before;
      result.longest = result.edges == 0 ? ratio : std::max(result.longest, ratio);
      result.shortest = result.edges == 0 ? ratio : std::min(result.shortest, ratio);
      ++result.edges;
      sum += before * (ratio - 1) * (ratio - 1);
      weight += before;
    }
  }
  if (weight > 0) result.rms = std::sqrt(sum / weight);
  return result;
}

}  // namespace sinew
