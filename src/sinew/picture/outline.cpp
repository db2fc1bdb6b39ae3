// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/outline.h"

#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/picture/detail/grow.h"
#include "sinew/picture/detail/simplify.h"

namespace sinew {
namespace {

using detail::GridPoint;
using detail::GridRings;
using detail::Grown;

// Follows the border of the inside, which is at the side of (-dy, dx) of each step (dx, dy), from
// the left side of the cell (x, y). The vertices are the middles of the sides of pixels, so that no
// two rings meet, nor does one meet itself, even where pixels touch at a corner only; steps of one
// pixel become straight diagonals. Marks all left sides of cells that it passes.
void trace(Grown& grown, int x, int y, GridRings& rings) {
  const auto inside = [&](int i, int j) {
    return (grown.cells[grown.index(i, j)] & Grown::inside) != 0;
  };
  int dx = 0, dy = -1;
  const std::size_t first = rings.points.size();
  const auto add = [&](GridPoint p) {
    auto& points = rings.points;
    if (points.size() >= first + 2) {
      const GridPoint a = points[points.size() - 2], b = points.back();
      if ((b.x - a.x) * (p.y - b.y) == (b.y - a.y) * (p.x - b.x)) points.pop_back();
    }
    points.push_back(p);
  };
  for (;;) {
    const int nx = -dy, ny = dx;
    if (nx == 1) {
      std::uint8_t& cell = grown.cells[grown.index(x, y)];
      if (cell & Grown::mark) break;
      cell |= Grown::mark;
    }
    add({2 * x + 1 - nx, 2 * y + 1 - ny});
    if (inside(x - nx + dx, y - ny + dy)) {
      x += dx - nx;
      y += dy - ny;
      dx = -nx;
      dy = -ny;
    } else if (inside(x + dx, y + dy)) {
      x += dx;
      y += dy;
    } else {
      dx = nx;
      dy = ny;
    }
  }
  // The first vertex may be on a straight part itself.
  const GridPoint start = rings.points[first], second = rings.points[first + 1];
  add(start);
  add(second);
  rings.points.pop_back();
  if (rings.points.back() == start) {
    rings.points.pop_back();
  } else {
    rings.points.erase(rings.points.begin() + static_cast<std::ptrdiff_t>(first));
  }
  rings.begin.push_back(static_cast<std::uint32_t>(rings.points.size()));
}

}  // namespace

std::vector<std::vector<Vec2>> outlines(const Mask& mask, const OutlineOptions& options) {
  check_mask(mask);
  if (!(options.tolerance >= 0)) throw UsageError("the outline's tolerance must be at least 0");
  if (!(options.margin >= 1 && options.margin <= largest_outline_margin)) {
    throw UsageError(
        fmt::format("the outline's margin must be from 1 to {} pixels", largest_outline_margin));
  }
  Grown grown = detail::grow(mask, options.margin);
  GridRings rings;
  for (int y = 1; y + 1 < grown.height; ++y) {
    for (int x = 1; x + 1 < grown.width; ++x) {
      const std::size_t i = grown.index(x, y);
      if ((grown.cells[i] & (Grown::inside | Grown::mark)) == Grown::inside &&
          !(grown.cells[i - 1] & Grown::inside)) {
        trace(grown, x, y, rings);
      }
    }
  }
  rings = detail::simplify(rings, grown, options.tolerance);
  std::vector<std::vector<Vec2>> result(rings.begin.size() - 1);
  for (std::size_t r = 0; r < result.size(); ++r) {
    for (std::uint32_t i = rings.begin[r]; i < rings.begin[r + 1]; ++i) {
      result[r].push_back(
          {0.5 * rings.points[i].x - grown.pad, 0.5 * rings.points[i].y - grown.pad});
    }
  }
  return result;
}

}  // namespace sinew
