// SPDX-License-Identifier: Apache-2.0
// Counts defects of a surface, as `sinew info` reports them.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Triangles with a repeated corner are ignored for edges and duplicates.
struct Topology {
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  std::size_t edges = 0;
  std::size_t boundary_edges = 0;        // with one triangle
  std::size_t non_manifold_edges = 0;    // with three or more
  std::size_t inconsistent_edges = 0;    // with two that traverse it in the same direction
  std::size_t degenerate_triangles = 0;  // a repeated corner, or no area up to rounding
  std::size_t duplicate_triangles = 0;   // same corners as an earlier one, in any order
  std::size_t isolated_vertices = 0;     // in no triangle
  bool watertight =
      false;  // has edges, and each has two triangles that traverse it in opposite directions

  friend bool operator==(const Topology&, const Topology&) = default;
};

// Compares indices only: weld first to ignore seams. Throws InputError for an index out of range or
// a coordinate that is not finite.
Topology inspect(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

}  // namespace sinew
