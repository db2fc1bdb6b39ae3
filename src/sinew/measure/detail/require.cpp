// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/detail/require.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/mesh/triangle.h"

namespace sinew::detail {

void require_same_mesh(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest,
                       const std::vector<Vec3>& deformed) {
  if (rest.size() != deformed.size()) {
    throw UsageError(fmt::format("the shape has {} vertices at rest, but {} when deformed",
                                 rest.size(), deformed.size()));
  }
  require_sound(rest, triangles);
  require_sound(deformed, {});
}

void require_same_rig(const Weights& weights, std::size_t vertex_count, std::size_t bone_count) {
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
