// SPDX-License-Identifier: Apache-2.0
// Transforms normals and tangents of an unskinned mesh to world space.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "sinew/core/affine.h"
#include "sinew/core/math.h"

namespace sinew::gltf {

struct DirectionMaps {
  Mat3 normal;   // the inverse transpose, up to scale: a plain rotation for a similarity
  Mat3 tangent;  // the map itself, up to scale
  bool is_mirrored = false;
  bool is_identity = true;  // stored directions stay bit for bit as they are
};

// `map` must not be singular.
inline DirectionMaps direction_maps(const Affine& map) {
  const double volume = determinant(map.linear);
  const double size = math::cbrt(std::fabs(volume));
  DirectionMaps maps;
  maps.is_mirrored = volume < 0;
  maps.is_identity = map.linear == Mat3{};
  maps.tangent = map.linear * (1 / size);
  maps.normal = transpose(adjugate(maps.tangent)) * (maps.is_mirrored ? -1.0 : 1.0);
  return maps;
}

inline Vec3 vec3_at(const std::vector<double>& values, std::size_t i) {
  return {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}

}  // namespace sinew::gltf
