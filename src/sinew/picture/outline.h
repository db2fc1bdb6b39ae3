// SPDX-License-Identifier: Apache-2.0
// Outlines around a silhouette, in pixels: x to the right, y DOWN.
#pragma once

#include <vector>

#include "sinew/core/vec.h"
#include "sinew/picture/mask.h"

namespace sinew {

// How closely outlines follow the figure.
struct OutlineOptions {
  // How far, in pixels, an outline may be from the staircase of pixels that it follows, and the
  // staircase from the outline. At least 0.
  double tolerance = 1;
  // How far around the figure it runs, in pixels; from 1 to 100.
  double margin = 2.5;
};

// In pixels.
inline constexpr double largest_outline_margin = 100;
// Sides without a vertex in common are never closer to one another, in pixels.
inline constexpr double outline_clearance = 0.35;

// Closed rings, the last vertex joined to the first: one around each island and one along each
// hole of the mask, even of one pixel, in the order of their highest pixels. Rings around islands
// have a positive area, those of holes a negative one, by the shoelace formula in pixel
// coordinates: as if y pointed up, counter-clockwise and clockwise; on a screen, where it points
// down, the other way round. No two rings touch, and none touches itself (outline_clearance).
// Coordinates may be negative, or beyond the picture.
//
// The margin is kept except where parts of the figure are closer than twice of it to one another:
// a gap of a pixel, less the tolerance, always stays between them. Only notches that are less than
// about margin + 2 pixels deep are closed. Within every pixel of the figure at least the square on
// the middles of its sides is inside, whatever the tolerance; with a tolerance below the margin,
// and no other part near, all of it is. Throws UsageError for an empty mask or options out of
// range.
std::vector<std::vector<Vec2>> outlines(const Mask& mask, const OutlineOptions& options = {});

}  // namespace sinew
