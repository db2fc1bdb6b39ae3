// SPDX-License-Identifier: Apache-2.0
// Vertices as the scripts beside this file want them: for each skinned primitive, its numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "sinew/io/gltf/layout.h"

namespace sinew {

template <class T>
nlohmann::json parts_to_json(const gltf::Layout& layout, const std::vector<Vec3T<T>>& positions) {
  nlohmann::json parts = nlohmann::json::array();
  for (const auto& part : layout.parts) {
    if (part.skin < 0) continue;
    nlohmann::json numbers = nlohmann::json::array();
    for (Index v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      for (std::size_t k = 0; k < 3; ++k) numbers.push_back(positions[v][k]);
    }
    parts.push_back(
        {{"node", part.node}, {"primitive", part.primitive}, {"positions", std::move(numbers)}});
  }
  return parts;
}

}  // namespace sinew
