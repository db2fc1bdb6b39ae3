// SPDX-License-Identifier: Apache-2.0
// Simplifies outlines on a grid without creating crossings.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/picture/detail/grow.h"
#include "sinew/picture/outline.h"

namespace sinew::detail {

// In half pixels of a Grown: the centre of its cell (x, y) is (2x + 1, 2y + 1).
struct GridPoint {
  std::int32_t x = 0, y = 0;
  friend bool operator==(const GridPoint&, const GridPoint&) = default;
};

// All rings one after the other; ring r has the points [begin[r], begin[r + 1]).
struct GridRings {
  std::vector<GridPoint> points;
  std::vector<std::uint32_t> begin{0};
};

// Removes vertices as long as the old and new outlines stay within `tolerance` pixels of each
// other, no two sides come closer than outline_clearance or pass over a vertex, and for each pixel
// of the figure the square through the midpoints of its sides stays inside. The input rings must
// not touch; the inside is on the (-dy, dx) side of a step (dx, dy). Each ring keeps at least three
// vertices. All orientation tests are exact.
GridRings simplify(const GridRings& rings, const Grown& grown, double tolerance);

}  // namespace sinew::detail
