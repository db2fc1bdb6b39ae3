// SPDX-License-Identifier: Apache-2.0
// What is whole and what is broken about a surface, as `sinew info` reports it.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Triangles with the same corner twice have no part in edges and duplicates.
struct Topology {
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  std::size_t edges = 0;
  std::size_t boundary_edges = 0;        // with one triangle
  std::size_t non_manifold_edges = 0;    // with three or more
  std::size_t inconsistent_edges = 0;    // with two that run along it the same way
  std::size_t degenerate_triangles = 0;  // a corner twice, or no area to rounding
  std::size_t duplicate_triangles = 0;   // the corners of an earlier one, whichever way round
  std::size_t isolated_vertices = 0;     // in no triangle
  bool watertight =
      false;  // has edges, and each has two triangles that run along it in opposite ways

  friend bool operator==(const Topology&, const Topology&) = default;
};

// Goes by indices: hand in a welded mesh to see the surface without its seams. Throws InputError
// for an index out of range or a coordinate that is not finite.
Topology inspect(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

}  // namespace sinew
