// SPDX-License-Identifier: Apache-2.0
// A region on the grid, ready to be triangulated: checked, clipped, and without points that are
// nearly the same.
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
  std::vector<Index> source;      // the point of the region that stays where it is, or `none`
  std::vector<Index> point_of;    // for each point of the region, its own here, or `none`
  std::vector<std::array<Index, 2>> outline;  // without edges that became points
  std::vector<std::array<Index, 2>> lines;    // one for each; {none, none} if far from the outline
};

// Ends of lines stay where they are, and are joined only within two steps. Points of the outline
// join what is within `tolerance` of them (in the region's units), or else move to a line that is.
// Lines are cut off at some distance from the outline. Throws InputError.
Prepared prepare(const PlaneRegion& region, double tolerance);

// The grid for the box of the outline; throws InputError where there is no outline, or none that
// has a size.
Grid grid_for(const PlaneRegion& region, double& extent);

}  // namespace sinew::plane
