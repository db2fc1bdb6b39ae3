// SPDX-License-Identifier: Apache-2.0
// Gradients on triangles, many at a time.
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "sinew/core/vec.h"
#include "sinew/mesh/mesh.h"

namespace sinew::kernels {

using Quad [[gnu::vector_size(16)]] = float;

// The triangle's hat functions are 1 at a corner and 0 at the others: the gradients of the second
// and the third, times twice its area, which is `area`.
struct Hats {
  Quad second, third;
  float area = 0;
};

// The hats of some triangles, in loops that the compiler makes wide.
class HatBatch {
 public:
  static constexpr std::size_t size = 32;

  // Lengths are multiplied by `scale` so that floats have room for their fourth powers.
  void set(const Mesh& mesh, std::span<const Index> triangles, double scale) {
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      const auto [a, b, c] = mesh.triangles[triangles[i]];
      const Vec3& from = mesh.positions[a];
      put(to_float((mesh.positions[b] - from) * scale), to_second_, i);
      put(to_float((mesh.positions[c] - from) * scale), to_third_, i);
    }
    const auto& [ax, ay, az] = to_second_;
    const auto& [bx, by, bz] = to_third_;
    for (std::size_t i = 0; i < size; ++i) {
      const float x = ay[i] * bz[i] - az[i] * by[i], y = az[i] * bx[i] - ax[i] * bz[i],
                  z = ax[i] * by[i] - ay[i] * bx[i];
      const float square = x * x + y * y + z * z;
      const float a = ax[i] * ax[i] + ay[i] * ay[i] + az[i] * az[i];
      const float b = bx[i] * bx[i] + by[i] * by[i] + bz[i] * bz[i];
      // None for a triangle that is so thin that floats do not tell in which plane it lies.
      constexpr float thin = 1e-12f;  // the square of an angle
      const float area = std::sqrt(square > thin * a * b ? square : 0.0f);
      const float inverse = area > 0 ? 1 / area : 0;
      const float nx = x * inverse, ny = y * inverse, nz = z * inverse;
      area_[i] = area;
      second_[0][i] = by[i] * nz - bz[i] * ny;
      second_[1][i] = bz[i] * nx - bx[i] * nz;
      second_[2][i] = bx[i] * ny - by[i] * nx;
      third_[0][i] = ny * az[i] - nz * ay[i];
      third_[1][i] = nz * ax[i] - nx * az[i];
      third_[2][i] = nx * ay[i] - ny * ax[i];
    }
  }

  Hats operator[](std::size_t i) const {
    const auto at = [&](const Vectors& v) { return Quad{v[0][i], v[1][i], v[2][i], 0}; };
    return {at(second_), at(third_), area_[i]};
  }

 private:
  using Numbers = std::array<float, size>;
  using Vectors = std::array<Numbers, 3>;

  static void put(const Vec3f& v, Vectors& to, std::size_t i) {
    to[0][i] = v.x;
    to[1][i] = v.y;
    to[2][i] = v.z;
  }

  Vectors to_second_{}, to_third_{}, second_, third_;
  Numbers area_;
};

}  // namespace sinew::kernels
