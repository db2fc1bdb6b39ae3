// SPDX-License-Identifier: Apache-2.0
#include "sinew/skin/skin.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

void validate_filter(std::size_t bone, const FilterCurve& curve, const char* kind) {
  try {
    validate(curve);
  } catch (const InputError& error) {
    throw InputError(formatted("bone {}, {} {}", bone, kind, error.place()), error.problem());
  }
}

}  // namespace

std::size_t bones_used(const Skin& skin) {
  return std::max({bones_used(skin.weights), skin.filters.size(), skin.muscles.size()});
}

void validate(const Skin& skin, std::size_t vertex_count, std::size_t bone_count) {
  validate(skin.weights, vertex_count, bone_count);
  validate_endpoints(skin.weights, skin.endpoints, "endpoint weight");
  validate_endpoints(skin.weights, skin.twist_endpoints, "twist endpoint weight");
  if (!skin.filters.empty() && skin.filters.size() != bone_count) {
    throw InputError("filters",
                     formatted("{} filters for {} bones", skin.filters.size(), bone_count));
  }
  for (std::size_t b = 0; b < skin.filters.size(); ++b) {
    validate_filter(b, skin.filters[b].stretch, "stretch");
    validate_filter(b, skin.filters[b].twist, "twist");
  }
  if (!skin.muscles.empty() && skin.muscles.size() != bone_count) {
    throw InputError("muscles",
                     formatted("{} muscles for {} bones", skin.muscles.size(), bone_count));
  }
  for (std::size_t b = 0; b < skin.muscles.size(); ++b) {
    try {
      validate(skin.muscles[b]);
    } catch (const InputError& error) {
      throw InputError(formatted("bone {}, muscle, {}", b, error.place()), error.problem());
    }
  }
  if (!skin.blend_shares.empty() && skin.blend_shares.size() != vertex_count) {
    throw InputError("blend shares", formatted("{} blend shares for {} vertices",
                                               skin.blend_shares.size(), vertex_count));
  }
  for (std::size_t v = 0; v < skin.blend_shares.size(); ++v) {
    if (skin.blend_shares[v] >= 0 && skin.blend_shares[v] <= 1) continue;
    throw InputError(
        formatted("vertex {}", v),
        formatted("its blend share is {}; it must be from 0 to 1", skin.blend_shares[v]));
  }
}

}  // namespace sinew
