// SPDX-License-Identifier: Apache-2.0
// Points on an integer grid, with exact orientation and in-circle tests.
#pragma once

#include <cmath>
#include <cstdint>

#include "sinew/core/vec.h"

namespace sinew::plane {

// Both coordinates are within 2^25 of 0.
struct GridPoint {
  std::int32_t x = 0, y = 0;
  friend bool operator==(const GridPoint&, const GridPoint&) = default;
};

// Twice the signed area of the triangle: positive if it is counter-clockwise.
inline std::int64_t orient(GridPoint a, GridPoint b, GridPoint c) {
  return std::int64_t{b.x - a.x} * (c.y - a.y) - std::int64_t{b.y - a.y} * (c.x - a.x);
}

// The dot product of the vectors from p to a and b: negative if p lies within the circle that has
// the segment a b as its diameter.
inline std::int64_t dot_from(GridPoint p, GridPoint a, GridPoint b) {
  return std::int64_t{a.x - p.x} * (b.x - p.x) + std::int64_t{a.y - p.y} * (b.y - p.y);
}

inline std::int64_t squared_distance(GridPoint a, GridPoint b) { return dot_from(a, b, b); }

inline double distance(GridPoint a, GridPoint b) {
  return std::sqrt(static_cast<double>(squared_distance(a, b)));
}

// Whether p lies strictly inside the circumcircle of a counter-clockwise triangle.
bool in_circle(GridPoint a, GridPoint b, GridPoint c, GridPoint p);

inline Vec2 to_vec(GridPoint p) { return {static_cast<double>(p.x), static_cast<double>(p.y)}; }

// `p` must lie within the grid.
inline GridPoint rounded(Vec2 p) {
  return {static_cast<std::int32_t>(std::lround(p.x)), static_cast<std::int32_t>(std::lround(p.y))};
}

// Converts between the caller's coordinates and grid coordinates, in which the outline's box starts
// at 0.
struct Grid {
  Vec2 low;
  double step = 1;

  Vec2 to_grid(Vec2 p) const { return (p - low) * (1 / step); }
  Vec2 from_grid(GridPoint p) const { return low + to_vec(p) * step; }
};

}  // namespace sinew::plane
