// SPDX-License-Identifier: Apache-2.0
// Fewer vertices for outlines on a grid, without any crossing.
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

// Leaves out vertices as long as what is left and what was there are within `tolerance` pixels of
// one another, nothing comes near to anything (outline_clearance) or changes sides of it, and the
// squares on the middles of the sides of the figure's pixels stay inside. The rings must not touch
// at the start; the inside is at the side of (-dy, dx) of a step (dx, dy). At least three vertices
// are left of each. All tests of sides are exact.
GridRings simplify(const GridRings& rings, const Grown& grown, double tolerance);

}  // namespace sinew::detail
