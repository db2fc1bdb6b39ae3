// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/smoothness.h"

#include <algorithm>

#include "sinew/mesh/weld.h"

namespace sinew {

std::vector<double> dirichlet_energy(const Mesh& mesh, const Weights& weights,
                                     std::size_t bone_count) {
  validate(weights, mesh.vertex_count(), bone_count);
  return dirichlet_energy(mesh, weld(mesh.positions, mesh.triangles).triangle_source, weights,
                          bone_count);
}

std::vector<double> dirichlet_energy(const Mesh& mesh, std::span<const Index> kept,
                                     const Weights& weights, std::size_t bone_count) {
  validate(weights, mesh.vertex_count(), bone_count);
  std::vector<double> energy(bone_count, 0.0);
  // The gradient of a linear function is the sum of its corner values times the opposite edges,
  // turned by a right angle and divided by twice the area.
  std::vector<Vec3> sums(bone_count);
  std::vector<std::size_t> bones;
  for (const Index t : kept) {
    const Triangle& corners = mesh.triangles[t];
    std::array<Vec3, 3> edges;
    double longest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      edges[i] = mesh.positions[corners[(i + 2) % 3]] - mesh.positions[corners[(i + 1) % 3]];
      longest = std::max(longest, length_squared(edges[i]));
    }
    if (!(longest > 0)) continue;
    const double area = std::max(0.5 * length(cross(edges[0], edges[1])), 0.005 * longest);
    bones.clear();
    for (std::size_t i = 0; i < 3; ++i) {
      for (const Influence& influence : weights.row(corners[i])) {
        const std::size_t bone = influence.bone;
        if (std::find(bones.begin(), bones.end(), bone) == bones.end()) {
          bones.push_back(bone);
          sums[bone] = {};
        }
        sums[bone] += edges[i] * influence.weight;
      }
    }
    for (const std::size_t bone : bones) energy[bone] += length_squared(sums[bone]) / (8 * area);
  }
  return energy;
}

}  // namespace sinew
