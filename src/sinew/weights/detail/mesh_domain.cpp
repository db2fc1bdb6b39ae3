// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include "sinew/weights/detail/domain.h"
#include "sinew/weights/detail/simplices.h"

namespace sinew::detail {
namespace {

// Appends what has a volume, above rounding in units of the shape's, and returns it.
template <class Corners>
std::vector<Simplex> add_elements(const std::vector<Corners>& all, double unit, Domain& domain) {
  std::vector<Simplex> simplices;
  std::size_t flat = 0;
  for (const Corners& corners : all) {
    const Simplex simplex = simplex_of(domain.points, corners);
    if (!(simplex.volume > 1e-18 * unit)) {
      ++flat;
      continue;
    }
    simplices.push_back(simplex);
    std::array<double, 4> mass;
    mass.fill(simplex.volume / static_cast<double>(simplex.corners));
    std::array<double, 16> stiffness{};
    for (std::size_t i = 0; i < simplex.corners; ++i) {
      for (std::size_t j = 0; j < simplex.corners; ++j) {
        stiffness[i * simplex.corners + j] =
            simplex.volume * dot(simplex.gradients[i], simplex.gradients[j]);
      }
    }
    domain.elements.push({simplex.nodes.data(), simplex.corners}, {mass.data(), simplex.corners},
                         {stiffness.data(), simplex.corners * simplex.corners});
  }
  if (flat > 0) {
    domain.repairs.push_back(fmt::format("{} elements without volume were left out", flat));
  }
  return simplices;
}

}  // namespace

Domain mesh_domain(const Mesh& mesh, const Skeleton& skeleton) {
  Domain domain;
  domain.points = mesh.positions;
  const double extent = bounding_box(mesh.positions).diagonal();
  const std::vector<Simplex> simplices =
      mesh.tetrahedra.empty() ? add_elements(mesh.triangles, extent * extent, domain)
                              : add_elements(mesh.tetrahedra, extent * extent * extent, domain);
  std::vector<char> used(mesh.positions.size(), 0);
  for (const int node : domain.elements.nodes.items) used[node] = 1;
  for (std::size_t v = 0; v < used.size(); ++v) {
    const Term term{static_cast<int>(v), 1};
    domain.vertices.push(used[v] != 0 ? std::span(&term, 1) : std::span<const Term>());
  }
  hold_bones(skeleton, simplices, domain);
  return domain;
}

}  // namespace sinew::detail
