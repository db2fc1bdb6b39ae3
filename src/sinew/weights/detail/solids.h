// SPDX-License-Identifier: Apache-2.0
// Splits a triangle soup into separate bodies.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew::detail {

// The triangles of one body, facing outwards where that is well defined, and the vertices they use.
struct Solid {
  std::vector<Triangle> triangles;
  std::vector<Index> vertices;  // ascending
};

struct Solids {
  std::vector<Solid> solids;
  std::size_t turned = 0;  // triangles that were flipped
  std::size_t merged = 0;  // connected parts that were joined with others they intersect
};

// Connected parts (by vertex index: pass a welded mesh) that intersect are one body; parts that
// only lie inside or beside each other are separate. Triangles without area are left out, and those
// that are there more than once are taken once.
Solids find_solids(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

// Triangles with the vertices that they use alone: what looks at all vertices takes no longer for
// one of many bodies than it has to.
struct OwnVertices {
  std::vector<Index> vertices;  // of those given, ascending
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
};
OwnVertices own_vertices(const std::vector<Vec3>& positions,
                         const std::vector<Triangle>& triangles);

}  // namespace sinew::detail
