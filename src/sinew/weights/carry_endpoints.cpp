// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/carry_endpoints.h"

#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/skin/projection.h"

namespace sinew {

CarriedEndpoints carry_endpoints(const Weights& before, std::span<const double> endpoints,
                                 const Weights& after, std::span<const double> otherwise) {
  CarriedEndpoints carried;
  if (endpoints.empty()) return carried;
  if (before.vertex_count() != after.vertex_count()) {
    throw UsageError(fmt::format("weights of {} vertices, and endpoint weights of {}",
                                 after.vertex_count(), before.vertex_count()));
  }
  if (endpoints.size() != before.influences.size() || otherwise.size() != after.influences.size()) {
    throw UsageError(fmt::format("{} and {} endpoint weights for {} and {} influences",
                                 endpoints.size(), otherwise.size(), before.influences.size(),
                                 after.influences.size()));
  }
  carried.endpoints.assign(otherwise.begin(), otherwise.end());
  for (std::size_t v = 0; v < after.vertex_count(); ++v) {
    for (std::size_t i = after.offsets[v]; i < after.offsets[v + 1]; ++i) {
      const BoneIndex bone = after.influences[i].bone;
      std::size_t old = before.offsets[v];
      while (old < before.offsets[v + 1] && before.influences[old].bone != bone) ++old;
      const bool known = old < before.offsets[v + 1];
      if (known) carried.endpoints[i] = endpoints[old];
      ++(known ? carried.kept : carried.added);
    }
  }
  return carried;
}

CarriedSkin replace_weights(Skin& skin, Weights weights, std::vector<double> endpoints,
                            std::span<const Vec3> positions, const Skeleton& skeleton) {
  CarriedSkin result;
  const bool needs_projection =
      endpoints.empty() && (!skin.endpoints.empty() || !skin.twist_endpoints.empty());
  const std::vector<double> projected =
      needs_projection ? projection_endpoints(positions, skeleton, weights) : std::vector<double>();
  if (endpoints.empty() && !skin.endpoints.empty()) {
    CarriedEndpoints carried = carry_endpoints(skin.weights, skin.endpoints, weights, projected);
    endpoints = std::move(carried.endpoints);
    result.kept_endpoints = carried.kept;
    result.added_endpoints = carried.added;
  }
  CarriedEndpoints twist = carry_endpoints(skin.weights, skin.twist_endpoints, weights,
                                           endpoints.empty() ? projected : endpoints);
  result.kept_twist_endpoints = twist.kept;
  result.added_twist_endpoints = twist.added;
  skin.weights = std::move(weights);
  skin.endpoints = std::move(endpoints);
  skin.twist_endpoints = std::move(twist.endpoints);
  return result;
}

}  // namespace sinew
