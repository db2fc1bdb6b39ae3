// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/detail/require.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/mesh/triangle.h"

namespace sinew::detail {
namespace {

constexpr double largest = 1e100;

void require_measurable(const std::vector<Vec3>& positions) {
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const Vec3& p = positions[v];
    if (std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}) > largest) {
      throw InputError(fmt::format("vertex {}", v),
                       "lies too far out to be measured; scale the model down");
    }
  }
}

}  // namespace

void require_same_mesh(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest,
                       const std::vector<Vec3>& deformed) {
  if (rest.size() != deformed.size()) {
    throw UsageError(fmt::format("the shape has {} vertices at rest, but {} when deformed",
                                 rest.size(), deformed.size()));
  }
  require_sound(rest, triangles);
  require_sound(deformed, {});
  require_measurable(rest);
  require_measurable(deformed);
}

void require_same_rig(const Weights& weights, std::size_t vertex_count, std::size_t bone_count) {
  if (weights.offsets.empty() || weights.offsets.back() != weights.influences.size()) {
    throw UsageError("the weights' offsets do not fit their influences");
  }
  if (weights.vertex_count() != vertex_count) {
    throw UsageError(fmt::format("there are weights for {} vertices, but {} vertices",
                                 weights.vertex_count(), vertex_count));
  }
  if (bones_used(weights) > bone_count) {
    throw UsageError(fmt::format("the weights are for {} bones, but there are {}",
                                 bones_used(weights), bone_count));
  }
}

}  // namespace sinew::detail
