// SPDX-License-Identifier: Apache-2.0
// Merges vertices at the same position, which files store once per UV island.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// The mesh with vertices joined, and what became of the old ones.
struct Welded {
  std::vector<Index> representative_of;  // for each old vertex, its index in `positions`
  std::vector<Index> source;             // for each new vertex, the first old vertex merged into it
  std::vector<Vec3> positions;           // equal to those of the old vertices in `source`
  std::vector<Triangle> triangles;       // without collapsed ones; winding order kept
  std::vector<Index> triangle_source;    // for each new triangle, its old index
};

// New vertices are in the order of the old ones; the first of the merged vertices gives its
// position.
//
// `tolerance` 0 merges vertices with equal coordinates (-0 equals 0). Otherwise it is a fraction of
// the bounding box's diagonal: each vertex in turn is merged into the nearest vertex kept so far if
// that lies within the tolerance, and is kept if not. So no vertex moves by more than the
// tolerance, kept vertices are farther apart than that, and a chain of close vertices becomes
// several vertices rather than one. A tolerance below the precision of the coordinates (2^-52)
// counts as 0.
//
// Triangles without area stay if their corners are three different vertices; so do duplicates.
// Throws InputError for an index out of range or a coordinate that is not finite, UsageError for a
// tolerance that is negative or not finite.
Welded weld(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
            double tolerance = 0);

}  // namespace sinew
