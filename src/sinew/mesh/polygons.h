// SPDX-License-Identifier: Apache-2.0
// Faces with any number of corners, and their triangulation.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Cuts one polygon into corners.size() - 2 triangles, keeping its winding order. Quads are cut
// along the diagonal whose two triangles face the same way (the shorter diagonal if both do),
// larger polygons by ear clipping in the plane of their mean normal. Degenerate polygons are
// fanned; fewer than three corners give no triangle. `positions` are those of the whole mesh.
// Appends vertex indices to `triangles` and, if given, the position of each triangle corner within
// the polygon (0 .. n-1) to `corner_places`. Throws InputError for a corner that is not a vertex.
void triangulate_polygon(std::span<const Vec3> positions, std::span<const Index> corners,
                         std::vector<Triangle>& triangles,
                         std::vector<std::array<Index, 3>>* corner_places = nullptr);

// The triangulation of all faces, in order. Throws InputError for offsets that do not ascend or do
// not fit the indices, and for a corner that is not a vertex.
std::vector<Triangle> triangulate(std::span<const Vec3> positions, const Polygons& polygons);

// The faces of a mesh are its polygons or, if it has none, its triangles. The polygons must be
// valid (see validate). Throws UsageError for a face that does not exist.
std::size_t face_count(const Mesh& mesh);
std::span<const Index> face_corners(const Mesh& mesh, std::size_t face);
// The number of corners of all faces before `face`: where its own begin in Layer::corners. With
// face_count(mesh), the number of all corners.
std::size_t first_corner(const Mesh& mesh, std::size_t face);

// Sets the faces of a mesh that already has its positions. Polygons are stored only if some face is
// not a triangle. Throws InputError for a face with fewer than three corners, and as triangulate().
void set_faces(Mesh& mesh, Polygons faces);

// Sets first_vertex and vertex_count of each part from its triangles. Throws InputError for a part
// whose range of triangles exceeds the mesh.
void set_vertex_ranges(Mesh& mesh);

}  // namespace sinew
