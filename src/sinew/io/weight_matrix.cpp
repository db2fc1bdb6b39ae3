// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/weight_matrix.h"

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

Matrix zeros(std::size_t rows, std::size_t columns) {
  return {rows, columns, std::vector<double>(rows * columns, 0.0)};
}

}  // namespace

Matrix weights_to_matrix(const Weights& weights, std::size_t bone_count) {
  validate(weights, weights.vertex_count(), bone_count);
  Matrix matrix = zeros(weights.vertex_count(), bone_count);
  for (std::size_t v = 0; v < matrix.rows; ++v) {
    for (const Influence& influence : weights.row(v)) {
      matrix.values[static_cast<std::size_t>(influence.bone) * matrix.rows + v] += influence.weight;
    }
  }
  return matrix;
}

Weights weights_from_matrix(const Matrix& matrix) {
  Weights weights;
  std::vector<Influence> row;
  for (std::size_t v = 0; v < matrix.rows; ++v) {
    row.clear();
    for (std::size_t b = 0; b < matrix.columns; ++b) {
      if (matrix(v, b) != 0) row.push_back({static_cast<int>(b), matrix(v, b)});
    }
    weights.push_row(row);
  }
  return weights;
}

Matrix endpoints_to_matrix(const Weights& weights, std::span<const double> endpoints,
                           std::size_t bone_count) {
  if (endpoints.size() != weights.influences.size()) {
    throw UsageError(fmt::format("{} endpoint weights for {} influences", endpoints.size(),
                                 weights.influences.size()));
  }
  validate(weights, weights.vertex_count(), bone_count);
  Matrix matrix = zeros(weights.vertex_count(), bone_count);
  for (std::size_t v = 0; v < matrix.rows; ++v) {
    for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
      const std::size_t bone = weights.influences[i].bone;
      matrix.values[bone * matrix.rows + v] = endpoints[i];
    }
  }
  return matrix;
}

std::vector<double> endpoints_from_matrix(const Matrix& matrix, const Weights& weights) {
  validate(weights, matrix.rows, matrix.columns);
  std::vector<double> endpoints;
  endpoints.reserve(weights.influences.size());
  for (std::size_t v = 0; v < matrix.rows; ++v) {
    for (const Influence& influence : weights.row(v)) {
      endpoints.push_back(matrix(v, static_cast<std::size_t>(influence.bone)));
    }
  }
  return endpoints;
}

}  // namespace sinew
