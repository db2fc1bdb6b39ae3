// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/compare.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {

WeightDifference compare(const Weights& a, const Weights& b, std::size_t bone_count) {
  const std::size_t vertices = a.vertex_count();
  if (b.vertex_count() != vertices) {
    throw UsageError(fmt::format("weights of {} and of {} vertices cannot be compared", vertices,
                                 b.vertex_count()));
  }
  validate(a, vertices, bone_count);
  validate(b, vertices, bone_count);
  WeightDifference result;
  if (vertices == 0) return result;

  std::vector<double> difference(bone_count, 0.0);
  std::vector<bool> seen(bone_count, false);
  std::vector<std::size_t> bones;
  double total = 0;
  std::size_t entries = 0;
  std::size_t agreeing = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    bones.clear();
    const auto add = [&](std::span<const Influence> row, double sign) {
      for (const Influence& influence : row) {
        const std::size_t bone = influence.bone;
        if (influence.weight == 0) continue;
        if (!seen[bone]) bones.push_back(bone);
        seen[bone] = true;
        difference[bone] += sign * influence.weight;
      }
    };
    add(a.row(v), 1);
    add(b.row(v), -1);
    double sum = 0;
    for (const std::size_t bone : bones) {
      sum += std::fabs(difference[bone]);
      difference[bone] = 0;
      seen[bone] = false;
    }
    total += sum;
    entries += bones.size();
    if (sum > result.largest) {
      result.largest = sum;
      result.worst_vertex = v;
    }
    if (dominant_bone(a.row(v)) == dominant_bone(b.row(v))) ++agreeing;
  }
  const auto count = static_cast<double>(vertices);
  result.mean = total / count;
  if (bone_count > 0) result.mean_per_entry = total / (count * static_cast<double>(bone_count));
  if (entries > 0) result.mean_per_influence = total / static_cast<double>(entries);
  result.dominant_agreement = static_cast<double>(agreeing) / count;
  return result;
}

}  // namespace sinew
