// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/weights.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

double row_sum(std::span<const Influence> row) {
  double sum = 0;
  for (const Influence& influence : row) sum += influence.weight;
  return sum;
}

}  // namespace

void Weights::push_row(std::span<const Influence> row) {
  influences.insert(influences.end(), row.begin(), row.end());
  offsets.push_back(influences.size());
}

Weights weights_from_dense(std::span<const double> dense, std::size_t bone_count) {
  Weights weights;
  std::vector<Influence> row;
  for (std::size_t first = 0; bone_count > 0 && first < dense.size(); first += bone_count) {
    row.clear();
    for (std::size_t bone = 0; bone < bone_count; ++bone) {
      if (dense[first + bone] != 0) row.push_back({static_cast<int>(bone), dense[first + bone]});
    }
    weights.push_row(row);
  }
  return weights;
}

std::vector<double> to_dense(const Weights& weights, std::size_t bone_count) {
  std::vector<double> dense(weights.vertex_count() * bone_count, 0.0);
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    for (const Influence& influence : weights.row(v)) {
      dense[v * bone_count + static_cast<std::size_t>(influence.bone)] += influence.weight;
    }
  }
  return dense;
}

void normalize(Weights& weights) {
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const double sum = row_sum(weights.row(v));
    if (!(sum > 0)) continue;
    for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
      weights.influences[i].weight /= sum;
    }
  }
}

WeightSummary summarize(const Weights& weights) {
  WeightSummary summary;
  summary.vertices = weights.vertex_count();
  std::size_t total = 0;
  for (std::size_t v = 0; v < summary.vertices; ++v) {
    const auto row = weights.row(v);
    const auto count = static_cast<std::size_t>(
        std::count_if(row.begin(), row.end(), [](const Influence& i) { return i.weight > 0; }));
    total += count;
    summary.max_influences = std::max(summary.max_influences, count);
    if (count == 0) {
      ++summary.uncovered;
    } else if (std::fabs(row_sum(row) - 1) > 1e-4) {
      ++summary.not_normalized;
    }
  }
  if (summary.vertices > 0) {
    summary.mean_influences = static_cast<double>(total) / static_cast<double>(summary.vertices);
  }
  return summary;
}

}  // namespace sinew
