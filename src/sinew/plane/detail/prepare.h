// SPDX-License-Identifier: Apache-2.0
// A region on the grid, ready to be triangulated: checked, clipped, with near-duplicate points
// merged.
#pragma once

#include <array>
#include <vector>

#include "sinew/plane/detail/grid.h"
#include "sinew/plane/triangulate.h"

namespace sinew::plane {

// All lengths are in steps of the grid.
struct Prepared {
  Grid grid;
  double extent = 0;    // the longer side of the outline's box
  GridPoint low, high;  // a box around everything, with room to spare

  std::vector<GridPoint> points;  // distinct
  std::vector<Index> source;    // the point of the region that keeps its exact position, or `none`
  std::vector<Index> point_of;  // for each point of the region, its index here, or `none`
  std::vector<std::array<Index, 2>> outline;  // without collapsed edges
  std::vector<std::array<Index, 2>> lines;    // one per line; {none, none} if far from the outline
};

// Ends of lines keep their position, and are merged only within two steps. Points of the outline
// are merged with a point within `tolerance` (in the region's units) or, failing that, moved onto a
// line within it. Lines are clipped at some distance from the outline. Throws InputError.
Prepared prepare(const PlaneRegion& region, double tolerance);

// The grid for the box of the outline. Throws InputError if there is no outline, or it has no
// extent.
Grid grid_for(const PlaneRegion& region, double& extent);

}  // namespace sinew::plane
