// SPDX-License-Identifier: Apache-2.0
// Joins vertices that lie at the same place: seams of files that store a vertex once per UV island.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// The mesh with vertices joined, and what became of the old ones.
struct Welded {
  std::vector<Index> representative_of;  // for each old vertex, its place in `positions`
  std::vector<Index> source;           // for each new vertex, the first old one that it stands for
  std::vector<Vec3> positions;         // exactly those of the old vertices in `source`
  std::vector<Triangle> triangles;     // without those that lost a corner; orientation kept
  std::vector<Index> triangle_source;  // for each of them, its place among the old triangles
};

// New vertices come in the order of the old ones; the first of those joined gives its position.
//
// `tolerance` 0 joins vertices with equal coordinates (-0 equals 0). Otherwise it is a fraction of
// the bounding box's diagonal, and each vertex in turn joins the nearest of the vertices kept so
// far if that is no farther than the tolerance, and is kept itself if not. So no vertex moves by
// more than the tolerance, those kept are farther apart than it, and a chain of close vertices
// becomes several vertices rather than one. A tolerance below the coordinates' precision (2^-52) is
// 0.
//
// Triangles without area, but with three different corners, stay; so do duplicates. Throws
// InputError for an index out of range or a coordinate that is not finite, UsageError for a
// tolerance that is negative or not finite.
Welded weld(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
            double tolerance = 0);

}  // namespace sinew
