// SPDX-License-Identifier: Apache-2.0
// From polygons to triangles.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Cuts one polygon into corners.size() - 2 triangles of vertex indices, keeping its orientation:
// quads along the diagonal that leaves two triangles facing the same way (the shorter one if both
// do), larger polygons by clipping ears in the plane of their mean normal. Degenerate polygons are
// fanned. `positions` are those of the whole mesh. Appends to `triangles`; and, if given, the place
// of each triangle corner in the polygon (0 .. n-1) to `corner_places`.
void triangulate_polygon(std::span<const Vec3> positions, std::span<const Index> corners,
                         std::vector<Triangle>& triangles,
                         std::vector<std::array<Index, 3>>* corner_places = nullptr);

// The triangulation of all faces, in order.
std::vector<Triangle> triangulate(std::span<const Vec3> positions, const Polygons& polygons);

}  // namespace sinew
