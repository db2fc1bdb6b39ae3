// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/overlap.h"

#include <algorithm>
#include <cmath>

namespace sinew {

TriangleOverlap::TriangleOverlap(const Vec3& a, const Vec3& b, const Vec3& c)
    : low_(component_min(component_min(a, b), c)), high_(component_max(component_max(a, b), c)) {
  const auto slab = [&](const Vec3& axis) {
    const double pa = dot(axis, a);
    const double pb = dot(axis, b);
    const double pc = dot(axis, c);
    return Slab{axis, std::min({pa, pb, pc}), std::max({pa, pb, pc})};
  };
  const std::array<Vec3, 3> edges = {b - a, c - b, a - c};
  slabs_[0] = slab(cross(edges[0], edges[1]));
  for (std::size_t e = 0; e < 3; ++e) {
    const Vec3& d = edges[e];
    slabs_[1 + 3 * e] = slab({0, -d.z, d.y});
    slabs_[2 + 3 * e] = slab({d.z, 0, -d.x});
    slabs_[3 + 3 * e] = slab({-d.y, d.x, 0});
  }
}

bool TriangleOverlap::operator()(const Vec3& center, const Vec3& half) const {
  for (std::size_t i = 0; i < 3; ++i) {
    if (center[i] - half[i] > high_[i] || center[i] + half[i] < low_[i]) return false;
  }
  return std::none_of(slabs_.begin(), slabs_.end(), [&](const Slab& slab) {
    const Vec3& n = slab.axis;
    const double middle = dot(n, center);
    const double reach =
        std::fabs(n.x) * half.x + std::fabs(n.y) * half.y + std::fabs(n.z) * half.z;
    return middle - reach > slab.high || middle + reach < slab.low;
  });
}

}  // namespace sinew
