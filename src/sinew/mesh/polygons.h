// SPDX-License-Identifier: Apache-2.0
// Faces of any number of corners, and from polygons to triangles.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Cuts one polygon into corners.size() - 2 triangles of vertex indices, keeping its orientation:
// quads along the diagonal that leaves two triangles facing the same way (the shorter one if both
// do), larger polygons by clipping ears in the plane of their mean normal. Degenerate polygons are
// fanned; fewer than three corners make no triangle. `positions` are those of the whole mesh.
// Appends to `triangles`; and, if given, the place of each triangle corner in the polygon (0 ..
// n-1) to `corner_places`. Throws InputError for a corner that is no vertex.
void triangulate_polygon(std::span<const Vec3> positions, std::span<const Index> corners,
                         std::vector<Triangle>& triangles,
                         std::vector<std::array<Index, 3>>* corner_places = nullptr);

// The triangulation of all faces, in order. Throws InputError for offsets that do not ascend or do
// not fit the indices, and for a corner that is no vertex.
std::vector<Triangle> triangulate(std::span<const Vec3> positions, const Polygons& polygons);

// The faces of a mesh are its polygons, or where it has none its triangles. The polygons must be
// sound (see validate); a face that is not there is a UsageError.
std::size_t face_count(const Mesh& mesh);
std::span<const Index> face_corners(const Mesh& mesh, std::size_t face);
// How many corners the faces before `face` have: where its corners begin in Layer::corners. `face`
// may be face_count(mesh), for all of them.
std::size_t first_corner(const Mesh& mesh, std::size_t face);

// Makes `faces` the faces of the mesh, whose positions must be there: as triangles alone where all
// of them are triangles. Throws InputError for a face of fewer than three corners, and as
// triangulate().
void set_faces(Mesh& mesh, Polygons faces);

// Sets first_vertex and vertex_count of each part from the triangles it has. Throws InputError for
// a part whose triangles are not all there.
void set_vertex_ranges(Mesh& mesh);

}  // namespace sinew
