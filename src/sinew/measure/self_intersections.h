// SPDX-License-Identifier: Apache-2.0
// Finds where a surface intersects itself.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Pairs of triangles that go through each other.
struct SelfIntersections {
  std::size_t pairs = 0;         // pairs of intersecting triangles with no common corner
  std::size_t created = 0;       // pairs that do not intersect at rest
  std::vector<Index> triangles;  // in a created pair, ascending
  bool complete = true;          // false: there may be more, see below
};

// Touching counts as intersecting, up to rounding (mesh/triangle_pair.h). Corners at the same
// position at rest are merged. Triangles without area are ignored: without area in `deformed` they
// are in no pair; without area in `rest` they intersect nothing at rest. Pass `rest` as `deformed`
// to get the pairs at rest.
//
// Each run of 512 triangles is compared with at most 512 times as many others whose boxes overlap
// theirs; if that is not enough, the counts are too low and `complete` is false. (Otherwise a
// crumpled shape would take hours.) Results do not depend on the number of threads.
//
// Throws UsageError if the numbers of positions differ, InputError for an index out of range or a
// coordinate that is not finite.
SelfIntersections self_intersections(const std::vector<Triangle>& triangles,
                                     const std::vector<Vec3>& rest,
                                     const std::vector<Vec3>& deformed);

}  // namespace sinew
