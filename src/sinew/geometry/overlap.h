// SPDX-License-Identifier: Apache-2.0
// Triangle-box overlap.
#pragma once

#include <array>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Tests one triangle against many boxes by the separating axis theorem (Akenine-Möller 2001).
// Touching counts. Degenerate triangles are treated as segments or points.
class TriangleOverlap {
 public:
  // Of the triangle a b c.
  TriangleOverlap(const Vec3& a, const Vec3& b, const Vec3& c);

  // The box from center - half to center + half.
  bool operator()(const Vec3& center, const Vec3& half) const;

  // The corners of the triangle's own box.
  const Vec3& low() const { return low_; }
  const Vec3& high() const { return high_; }

 private:
  // Projected on the axis, the triangle covers [low, high], and a box covers a range around its
  // center of half width dot(|axis|, half).
  struct Slab {
    Vec3 axis;
    double low = 0, high = 0;
  };
  Vec3 low_, high_;
  std::array<Slab, 10> slabs_;  // the normal, and each edge crossed with each coordinate axis
};

}  // namespace sinew
