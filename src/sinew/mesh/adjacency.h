// SPDX-License-Identifier: Apache-2.0
// The vertices and triangles next to each vertex of a mesh.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/rows.h"
#include "sinew/mesh/mesh.h"

namespace sinew {

// A list of indices for each vertex.
using Adjacency = Rows<Index>;

// The vertices joined to each vertex by an edge of a triangle or a tetrahedron, ascending, each
// once, never the vertex itself. Compares indices only: weld first if seams are split. Throws
// InputError for an index out of range.
Adjacency vertex_neighbors(std::size_t vertex_count, const std::vector<Triangle>& triangles,
                           const std::vector<Tetrahedron>& tetrahedra = {});

// The triangles around each vertex, ascending, each once. `group_of`: the group of each vertex,
// below their number; the triangles are then those around each group. Throws InputError for an
// index out of range, UsageError for groups that do not fit.
Adjacency vertex_triangles(std::size_t vertex_count, const std::vector<Triangle>& triangles,
                           std::span<const Index> group_of = {});

// The inverse of `keys`: for each key in 0 .. count - 1, the indices at which it occurs, ascending;
// for example from each welded vertex to the original ones. Throws UsageError for a key that is not
// below `count`.
Adjacency places_of(std::span<const Index> keys, std::size_t count);

}  // namespace sinew
