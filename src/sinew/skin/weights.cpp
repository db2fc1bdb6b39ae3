// SPDX-License-Identifier: Apache-2.0
#include "sinew/skin/weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

double row_sum(std::span<const Influence> row) {
  double sum = 0;
  for (const Influence& influence : row) sum += influence.weight;
  return sum;
}

void require_bones(const Weights& weights, std::size_t bone_count) {
  for (const Influence& influence : weights.influences) {
    if (influence.bone >= 0 && static_cast<std::size_t>(influence.bone) < bone_count) continue;
    throw UsageError(
        formatted("there are weights of bone {}, but {} bones", influence.bone, bone_count));
  }
}

}  // namespace

void Weights::push_row(std::span<const Influence> row) {
  influences.insert(influences.end(), row.begin(), row.end());
  offsets.push_back(influences.size());
}

void validate(const Weights& weights, std::size_t vertex_count, std::size_t bone_count) {
  const std::vector<std::size_t>& offsets = weights.offsets;
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != weights.influences.size()) {
    throw InputError("weights",
                     "their offsets must begin with 0 and end with the number of influences");
  }
  if (weights.vertex_count() != vertex_count) {
    throw InputError("weights",
                     formatted("{} rows for {} vertices", weights.vertex_count(), vertex_count));
  }
  bool sound = true;
  for (std::size_t v = 0; v < vertex_count; ++v) sound &= offsets[v] <= offsets[v + 1];
  for (const Influence& influence : weights.influences) {
    sound &= influence.bone >= 0 && static_cast<std::size_t>(influence.bone) < bone_count;
    sound &= influence.weight >= 0 && influence.weight <= std::numeric_limits<double>::max();
  }
  if (sound) return;
  for (std::size_t v = 0; v < vertex_count; ++v) {
    if (offsets[v + 1] < offsets[v] || offsets[v + 1] > weights.influences.size()) {
      throw InputError(formatted("vertex {}", v),
                       formatted("its row goes from {} to {}, but there are {} influences",
                                 offsets[v], offsets[v + 1], weights.influences.size()));
    }
    for (const Influence& influence : weights.row(v)) {
      if (influence.bone < 0 || static_cast<std::size_t>(influence.bone) >= bone_count) {
        throw InputError(
            formatted("vertex {}", v),
            formatted("it is tied to bone {}, but there are {} bones", influence.bone, bone_count));
      }
      if (!std::isfinite(influence.weight) || influence.weight < 0) {
        throw InputError(formatted("vertex {}", v),
                         formatted("its weight for bone {} is {}; weights are numbers from 0 on",
                                   influence.bone, influence.weight));
      }
    }
  }
}

void validate_endpoints(const Weights& weights, std::span<const double> endpoints,
                        const char* name) {
  if (endpoints.empty()) return;
  if (endpoints.size() != weights.influences.size()) {
    throw InputError(name, formatted("{} values for {} influences", endpoints.size(),
                                     weights.influences.size()));
  }
  bool sound = true;
  for (const double e : endpoints) sound &= e >= 0 && e <= 1;
  if (sound) return;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
      if (!(endpoints[i] >= 0 && endpoints[i] <= 1)) {
        throw InputError(formatted("vertex {}", v),
                         formatted("its {} for bone {} is {}; it must be in [0, 1]", name,
                                   weights.influences[i].bone, endpoints[i]));
      }
    }
  }
}

std::size_t bones_used(const Weights& weights) {
  int highest = -1;
  for (const Influence& influence : weights.influences) {
    highest = std::max<int>(highest, influence.bone);
  }
  return static_cast<std::size_t>(highest + 1);
}

BoneIndex dominant_bone(std::span<const Influence> row) {
  BoneIndex bone = no_bone;
  double largest = 0;
  for (const Influence& influence : row) {
    if (influence.weight > largest || (influence.weight == largest && influence.bone < bone)) {
      bone = influence.bone;
      largest = influence.weight;
    }
  }
  return bone;
}

Weights weights_from_dense(std::span<const double> dense, std::size_t bone_count) {
  if (bone_count == 0 ? !dense.empty() : dense.size() % bone_count != 0) {
    throw UsageError(
        formatted("{} values are no whole rows of {} bones", dense.size(), bone_count));
  }
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
  require_bones(weights, bone_count);
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
    const std::size_t count =
        std::count_if(row.begin(), row.end(), [](const Influence& i) { return i.weight > 0; });
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
