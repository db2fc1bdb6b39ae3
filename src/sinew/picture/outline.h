// SPDX-License-Identifier: Apache-2.0
// Outlines around a silhouette, in pixels: x to the right, y DOWN.
#pragma once

#include <vector>

#include "sinew/core/vec.h"
#include "sinew/picture/mask.h"

namespace sinew {

// How closely outlines follow the figure.
struct OutlineOptions {
  // Maximum distance in pixels between the outline and the pixel boundary it follows, in both
  // directions. At least 0.
  double tolerance = 1;
  // Distance of the outline from the figure, in pixels; from 1 to 100.
  double margin = 2.5;
};

// In pixels.
inline constexpr double largest_outline_margin = 100;
// Minimum distance in pixels between sides that share no vertex.
inline constexpr double outline_clearance = 0.35;

// Closed rings (the last vertex connects to the first): one around each island and one along each
// hole of the mask, even those of one pixel, in the order of their topmost pixels. By the shoelace
// formula in pixel coordinates, rings around islands have positive area and rings of holes negative
// area: counter-clockwise and clockwise if y pointed up, the opposite on a screen, where y points
// down. No two rings touch, and none touches itself (outline_clearance). Coordinates may be
// negative, or beyond the picture.
//
// The margin is kept except where parts of the figure are closer to each other than twice the
// margin: a gap of one pixel, minus the tolerance, always remains between them. Only notches less
// than about margin + 2 pixels deep are closed. For every pixel of the figure at least the square
// through the midpoints of its sides is inside, whatever the tolerance; the whole pixel is inside
// if the tolerance is below the margin and no other part is near. Throws UsageError for an empty
// mask or options out of range.
std::vector<std::vector<Vec2>> outlines(const Mask& mask, const OutlineOptions& options = {});

}  // namespace sinew
