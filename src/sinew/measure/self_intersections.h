// SPDX-License-Identifier: Apache-2.0
// Where a surface goes through itself.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Pairs of triangles that go through each other.
struct SelfIntersections {
  std::size_t pairs = 0;         // of triangles that meet and have no corner in common
  std::size_t created = 0;       // of those, the ones that do not meet at rest
  std::vector<Index> triangles;  // in a created pair, ascending
  bool complete = true;          // or there are more: see below
};

// Touching counts, to rounding (mesh/triangle_pair.h). Corners at the same place at rest are one.
// Triangles without area have no part in this: those in `deformed` for `pairs`, those in `rest` as
// not meeting anything there. With `rest` as `deformed`, `pairs` are those at rest.
//
// Each run of 512 triangles is compared with no more than 512 times as many others whose boxes
// they meet; where that is not enough, the counts are too low and `complete` is false. (A shape
// crumpled into a heap would take hours otherwise.) Results do not depend on the number of threads.
//
// Throws UsageError if the numbers of positions differ, InputError for an index out of range or a
// coordinate that is not finite.
SelfIntersections self_intersections(const std::vector<Triangle>& triangles,
                                     const std::vector<Vec3>& rest,
                                     const std::vector<Vec3>& deformed);

}  // namespace sinew
