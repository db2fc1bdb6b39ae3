// SPDX-License-Identifier: Apache-2.0
// Which boxes a triangle passes through.
#pragma once

#include <array>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Asks about many boxes of one triangle, by the separating axes of the two (Akenine-Möller 2001).
// Touching counts. Triangles without area count as the segment or the point that they are.
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
  // Along each axis the triangle covers [low, high]; a box covers a range around its center whose
  // half width is dot(|axis|, half).
  struct Slab {
    Vec3 axis;
    double low = 0, high = 0;
  };
  Vec3 low_, high_;
  std::array<Slab, 10> slabs_;  // the normal, and each edge crossed with each coordinate axis
};

}  // namespace sinew
