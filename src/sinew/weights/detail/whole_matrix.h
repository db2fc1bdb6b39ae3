// SPDX-License-Identifier: Apache-2.0
// A symmetric matrix with both of its triangles, for products with few columns of it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/weights/detail/sparse_cholesky.h"

namespace sinew::detail {

// Column by column (or row by row, which is the same), as SymmetricMatrix, but rows in any order.
struct WholeMatrix {
  std::vector<std::size_t> starts;
  std::vector<int> rows;
  std::vector<double> values;

  explicit WholeMatrix(const SymmetricMatrix& a);

  // y += A x; costs as much as x has elements other than 0.
  void add_product(std::span<const double> x, std::span<double> y) const;
};

}  // namespace sinew::detail
