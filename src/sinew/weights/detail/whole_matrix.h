// SPDX-License-Identifier: Apache-2.0
// A symmetric matrix with both triangles stored, for products with sparse vectors.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/weights/detail/sparse_cholesky.h"

namespace sinew::detail {

// Compressed columns (equivalently rows), as SymmetricMatrix, but with rows in any order.
struct WholeMatrix {
  std::vector<std::size_t> starts;
  std::vector<int> rows;
  std::vector<double> values;

  explicit WholeMatrix(const SymmetricMatrix& a);

  // y += A x; the cost is proportional to the nonzero elements of x.
  void add_product(std::span<const double> x, std::span<double> y) const;
};

}  // namespace sinew::detail
