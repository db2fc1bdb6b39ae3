// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/whole_matrix.h"

#include "sinew/weights/detail/numbers.h"

namespace sinew::detail {

WholeMatrix::WholeMatrix(const SymmetricMatrix& a) {
  starts.assign(at(a.size) + 1, 0);
  const auto each = [&](auto&& visit) {
    for (int column = 0; column < a.size; ++column) {
      for (std::size_t k = a.starts[column]; k < a.starts[at(column) + 1]; ++k) {
        visit(a.rows[k], column, a.values[k]);
        if (a.rows[k] != column) visit(column, a.rows[k], a.values[k]);
      }
    }
  };
  each([&](int, int column, double) { ++starts[at(column) + 1]; });
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  rows.resize(starts.back());
  values.resize(starts.back());
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  each([&](int row, int column, double value) {
    const std::size_t k = next[column]++;
    rows[k] = row;
    values[k] = value;
  });
}

void WholeMatrix::add_product(std::span<const double> x, std::span<double> y) const {
  for (std::size_t column = 0; column < x.size(); ++column) {
    if (x[column] == 0) continue;
    for (std::size_t k = starts[column]; k < starts[column + 1]; ++k) {
      y[rows[k]] += values[k] * x[column];
    }
  }
}

}  // namespace sinew::detail
