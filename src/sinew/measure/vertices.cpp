// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/vertices.h"

#include <algorithm>

#include "sinew/measure/detail/require.h"
#include "sinew/measure/parts.h"
#include "sinew/measure/self_intersections.h"
#include "sinew/measure/strain.h"
#include "sinew/mesh/adjacency.h"

namespace sinew {

VertexStrain vertex_strain(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest,
                           const std::vector<Vec3>& deformed) {
  detail::require_same_mesh(triangles, rest, deformed);
  const Adjacency neighbors = vertex_neighbors(rest.size(), triangles);
  const double least = 1e-12 * bounding_box(rest).diagonal();  // as edge_stretch() has it
  VertexStrain result{std::vector<double>(rest.size(), 1), std::vector<double>(rest.size(), 1),
                      std::vector<double>(rest.size(), 0)};
  for (std::size_t v = 0; v < rest.size(); ++v) {
    bool has_edge = false;
    for (const Index n : neighbors[v]) {
      const double before = distance(rest[v], rest[n]);
      if (!(before > least)) continue;
      const double ratio = distance(deformed[v], deformed[n]) / before;
      result.longest[v] = has_edge ? std::max(result.longest[v], ratio) : ratio;
      result.shortest[v] = has_edge ? std::min(result.shortest[v], ratio) : ratio;
      has_edge = true;
    }
  }
  const std::vector<TriangleStrain> strains = triangle_strains(triangles, rest, deformed);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (!(strains[t].area > 0)) continue;
    const double shear = strains[t].shear();
    for (const Index v : triangles[t]) result.shear[v] = std::max(result.shear[v], shear);
  }
  return result;
}

std::vector<std::uint8_t> vertex_faults(const Rig& rig, std::span<const BoneState> states,
                                        const std::vector<Vec3>& rest,
                                        const std::vector<Vec3>& deformed) {
  const std::vector<Triangle>& triangles = rig.mesh.triangles;
  std::vector<std::uint8_t> faults(rig.mesh.vertex_count(), 0);
  const auto mark = [&](const std::vector<Index>& places, std::uint8_t fault) {
    for (const Index t : places) {
      for (const Index v : triangles[t]) faults[v] = static_cast<std::uint8_t>(faults[v] | fault);
    }
  };
  mark(self_intersections(triangles, rest, deformed).triangles, crossing_fault);
  const Strain strain = summarize(triangle_strains(triangles, rest, deformed),
                                  strain_bounds(triangles, rig.skin.weights, states),
                                  part_errors(rig, states, rest, deformed).displaced);
  mark(strain.distorted, distorted_fault);
  return faults;
}

}  // namespace sinew
