// SPDX-License-Identifier: Apache-2.0
// What the heat equation takes from the surface alone.
#pragma once

#include <optional>
#include <vector>

#include "sinew/geometry/laplacian.h"
#include "sinew/weights/detail/sparse_cholesky.h"

namespace sinew::detail {

class HeatSurface {
 public:
  HeatSurface(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

  const std::vector<double>& areas() const { return laplacian_.areas; }
  // For each vertex the lowest one that it is connected to.
  const std::vector<Index>& islands() const { return islands_; }
  const EliminationOrder& order() const { return *order_; }
  // The Laplacian's negative, with this heat of each vertex on the diagonal; until the next call,
  // which must not follow the `last` one.
  const SymmetricMatrix& matrix_with(std::vector<double> heat, bool last);

 private:
  void find_islands();

  SurfaceLaplacian laplacian_;
  std::vector<Index> islands_;
  SymmetricMatrix matrix_;
  std::optional<EliminationOrder> order_;
};

}  // namespace sinew::detail
