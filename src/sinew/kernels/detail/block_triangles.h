// SPDX-License-Identifier: Apache-2.0
// Which triangles the vertices of each block have around them.
#pragma once

#include <functional>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew::kernels {

// Consecutive triangles.
struct TriangleRun {
  Index begin = 0, end = 0;
};

struct BlockTriangles {
  // Per block, ascending. There may be some that the block does not need.
  std::vector<std::vector<TriangleRun>> runs;
  // Per vertex: the next one with the same position and normal, in a ring, for those on an edge of
  // the surface; all others are alone. Empty if all are.
  std::vector<Index> next_twin;
};

// Of vertices whose triangles close around them nothing is missing, so that they are not compared
// with others. The indices must be valid.
BlockTriangles block_triangles(const Mesh& mesh, const std::function<Vec3(std::size_t)>& normal_of);

}  // namespace sinew::kernels
