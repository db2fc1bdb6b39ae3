// SPDX-License-Identifier: Apache-2.0
// Which vertices and triangles of a mesh lie next to each vertex.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/rows.h"
#include "sinew/mesh/mesh.h"

namespace sinew {

// A list of things for each vertex.
using Adjacency = Rows<Index>;

// The vertices joined to each vertex by an edge of a triangle or a tetrahedron, ascending, each
// once and never the vertex itself. Goes by indices: weld first where seams are split. Throws
// InputError for an index out of range.
Adjacency vertex_neighbors(std::size_t vertex_count, const std::vector<Triangle>& triangles,
                           const std::vector<Tetrahedron>& tetrahedra = {});

// The triangles around each vertex, ascending, each once. Throws InputError for an index out of
// range.
Adjacency vertex_triangles(std::size_t vertex_count, const std::vector<Triangle>& triangles);

// For each place in 0 .. count - 1, where `keys` has it, ascending: from welded vertices back to
// those that were joined. Throws UsageError for a key that is not below `count`.
Adjacency places_of(std::span<const Index> keys, std::size_t count);

}  // namespace sinew
