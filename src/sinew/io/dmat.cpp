// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/dmat.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/binary.h"
#include "sinew/core/internal/text.h"
#include "sinew/io/detail/mesh_text.h"

namespace sinew {
namespace {

void read_sizes(text::Reader& in, Matrix& matrix) {
  matrix.columns = in.count("the number of columns", 0);
  matrix.rows = in.count("the number of rows", 0);
}

// Checks that `bytes` are enough for the values before there is space made for them.
std::size_t value_count(const Matrix& matrix, std::size_t bytes, std::size_t bytes_each,
                        const text::Reader& in) {
  const std::size_t limit = bytes / bytes_each;
  if (matrix.columns != 0 && matrix.rows > limit / matrix.columns) {
    in.fail(fmt::format("{} columns of {} rows are more than the file has: is it cut off?",
                        matrix.columns, matrix.rows));
  }
  return matrix.rows * matrix.columns;
}

void read_binary(std::string_view bytes, const text::Reader& in, Matrix& matrix) {
  const std::size_t begin = in.offset();
  const std::size_t count = value_count(matrix, bytes.size() - begin, sizeof(double), in);
  if (bytes.size() - begin != count * sizeof(double)) {
    throw InputError(fmt::format("byte {}", begin + count * sizeof(double)),
                     "the file goes on after the last value; check the number of rows and columns");
  }
  matrix.values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = begin + i * sizeof(double);
    const double value = load<double>(bytes.data() + at, ByteOrder::little);
    if (!std::isfinite(value)) throw InputError(fmt::format("byte {}", at), "it is not finite");
    matrix.values.push_back(value);
  }
}

}  // namespace

Matrix read_dmat(std::string_view bytes) {
  text::Reader in(bytes, {.comment = '\0'});
  Matrix matrix;
  read_sizes(in, matrix);
  text::Reader ahead = in;
  if (matrix.rows == 0 && matrix.columns == 0 && !ahead.next_word().empty()) {
    read_sizes(in, matrix);
    if (!in.end_line()) in.fail("the sizes of a binary matrix should end their line");
    read_binary(bytes, in, matrix);
    return matrix;
  }
  const std::size_t count = value_count(matrix, in.remaining() + 1, 2, in);
  matrix.values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) matrix.values.push_back(in.number("a value"));
  if (!in.next_word().empty()) {
    in.fail(fmt::format("there are more values than {} columns of {} rows", matrix.columns,
                        matrix.rows));
  }
  return matrix;
}

std::string write_dmat(const Matrix& matrix, DmatFormat format) {
  if (matrix.values.size() != matrix.rows * matrix.columns) {
    throw UsageError(fmt::format("a matrix of {} rows and {} columns has {} values", matrix.rows,
                                 matrix.columns, matrix.values.size()));
  }
  const bool binary = format == DmatFormat::binary;
  std::string out = fmt::format("{}{} {}\n", binary ? "0 0\n" : "", matrix.columns, matrix.rows);
  for (const double value : matrix.values) {
    if (binary) {
      store(out, value, ByteOrder::little);
    } else {
      text::append_number(out, value, '\n');
    }
  }
  return out;
}

}  // namespace sinew
