// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/simplices.h"

#include <cmath>

namespace sinew::detail {

Simplex simplex_of(const std::vector<Vec3>& points, const Tetrahedron& t) {
  Simplex simplex;
  simplex.corners = 4;
  std::array<Vec3, 4> p;
  for (std::size_t i = 0; i < 4; ++i) {
    simplex.nodes[i] = static_cast<int>(t[i]);
    p[i] = points[t[i]];
  }
  simplex.volume = std::abs(dot(p[1] - p[0], cross(p[2] - p[0], p[3] - p[0]))) / 6;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 &a = p[(i + 1) % 4], &b = p[(i + 2) % 4], &c = p[(i + 3) % 4];
    const Vec3 normal = cross(b - a, c - a);
    simplex.gradients[i] = normal / dot(p[i] - a, normal);
  }
  return simplex;
}

Simplex simplex_of(const std::vector<Vec3>& points, const Triangle& t) {
  Simplex simplex;
  simplex.corners = 3;
  std::array<Vec3, 3> p;
  for (std::size_t i = 0; i < 3; ++i) {
    simplex.nodes[i] = static_cast<int>(t[i]);
    p[i] = points[t[i]];
  }
  const Vec3 normal = cross(p[1] - p[0], p[2] - p[0]);
  simplex.volume = std::abs(normal.z) / 2;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 side = p[(i + 2) % 3] - p[(i + 1) % 3];
    simplex.gradients[i] = Vec3{-side.y, side.x, 0} / normal.z;
  }
  return simplex;
}

std::vector<Term> locate(const Simplex& simplex, const std::vector<Vec3>& points, const Vec3& p) {
  const Vec3 way = p - points[simplex.nodes[0]];
  std::array<double, 4> shares{1};
  for (std::size_t i = 1; i < simplex.corners; ++i) {
    shares[i] = dot(simplex.gradients[i], way);
    if (!(shares[i] > -1e-9)) return {};
    shares[0] -= shares[i];
  }
  if (!(shares[0] > -1e-9)) return {};
  std::vector<Term> terms;
  for (std::size_t i = 0; i < simplex.corners; ++i) terms.push_back({simplex.nodes[i], shares[i]});
  return terms;
}

}  // namespace sinew::detail
