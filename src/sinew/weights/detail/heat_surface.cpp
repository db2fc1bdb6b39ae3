// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/heat_surface.h"

#include <algorithm>
#include <numeric>

namespace sinew::detail {

HeatSurface::HeatSurface(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles)
    : laplacian_(surface_laplacian(positions, triangles)) {
  find_islands();
  const std::size_t n = positions.size();
  std::vector<Triplet> triplets;
  triplets.reserve(n + laplacian_.edges.size());
  for (const SurfaceLaplacian::Edge& edge : laplacian_.edges) {
    triplets.push_back({static_cast<int>(edge.b), static_cast<int>(edge.a), -edge.weight});
  }
  for (std::size_t v = 0; v < n; ++v) {
    triplets.push_back({static_cast<int>(v), static_cast<int>(v), 0});
  }
  matrix_ = assemble(static_cast<int>(n), triplets);
  order_.emplace(matrix_, positions);
}

void HeatSurface::find_islands() {
  std::vector<Index>& parent = islands_;
  parent.resize(laplacian_.areas.size());
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const SurfaceLaplacian::Edge& edge : laplacian_.edges) {
    const Index a = root(edge.a);
    const Index b = root(edge.b);
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (std::size_t v = 0; v < parent.size(); ++v) parent[v] = root(static_cast<Index>(v));
}

const SymmetricMatrix& HeatSurface::matrix_with(std::vector<double> heat, bool last) {
  std::vector<double>& diagonal = heat;
  for (const SurfaceLaplacian::Edge& edge : laplacian_.edges) {
    diagonal[edge.a] += edge.weight;
    diagonal[edge.b] += edge.weight;
  }
  if (last) std::vector<SurfaceLaplacian::Edge>().swap(laplacian_.edges);
  // The first element of each column.
  for (std::size_t v = 0; v < diagonal.size(); ++v) matrix_.values[matrix_.starts[v]] = diagonal[v];
  return matrix_;
}

}  // namespace sinew::detail
