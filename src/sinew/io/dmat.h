// SPDX-License-Identifier: Apache-2.0
// Dense matrices (.dmat), text and binary.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// A dense matrix.
struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  // column by column: rows * columns of them

  // Both must be within the matrix.
  double operator()(std::size_t row, std::size_t column) const {
    return values[column * rows + row];
  }
  friend bool operator==(const Matrix&, const Matrix&) = default;
};

// Throws InputError naming the line, or the byte in binary data. NaN and infinity are errors.
Matrix read_dmat(std::string_view bytes);

// Both are in use, and both are read.
enum class DmatFormat { text, binary };

// Reading it again gives the same matrix, bit for bit. Throws UsageError unless the matrix has
// rows * columns values.
std::string write_dmat(const Matrix& matrix, DmatFormat format = DmatFormat::text);

}  // namespace sinew
