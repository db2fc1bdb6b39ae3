// SPDX-License-Identifier: Apache-2.0
// The separate bodies that a triangle soup is made of.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew::detail {

// Triangles of one body, all turned to the outside where that means something, and the vertices
// they use.
struct Solid {
  std::vector<Triangle> triangles;
  std::vector<Index> vertices;  // ascending
};

struct Solids {
  std::vector<Solid> solids;
  std::size_t turned = 0;  // triangles that ran the wrong way
  std::size_t merged = 0;  // connected parts that run through others and were joined with them
};

// Connected parts (by index: hand in a welded mesh) that run through one another are one body;
// those that only lie inside or beside one another are not. Triangles without area are left out.
Solids find_solids(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

}  // namespace sinew::detail
