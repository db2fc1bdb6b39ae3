// SPDX-License-Identifier: Apache-2.0
// An octree that is fine near the surface of a field, and the lattice of its corners and centres.
#pragma once

#include <array>

#include "sinew/core/internal/octree.h"
#include "sinew/samples/internal/implicit.h"

namespace sinew::samples {

// Cells that may contain surface are split until they are at most about twice the target edge
// length (field.edge_length(p, edge)) and no larger than field.cell_limit(p). With `half` the
// octree covers only x >= 0, with cells starting at x = 0.
Octree field_octree(const Field& field, double edge, bool half);

// In units of half the finest possible cell, so that cell centres have integer coordinates.
using LatticePlace = std::array<int, 3>;
LatticePlace corner_place(const OctreeCell& cell, int dx, int dy, int dz);
LatticePlace center_place(const OctreeCell& cell);
Vec3 position_of(const Octree& octree, const LatticePlace& place);

}  // namespace sinew::samples
