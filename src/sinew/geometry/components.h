// SPDX-License-Identifier: Apache-2.0
// The connected parts of a triangle mesh.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Triangles that share a vertex index belong to one component: weld first if seams are split. A
// vertex that no triangle uses is a component of its own. Components are numbered in the order of
// their lowest vertex.
struct Components {
  int count = 0;
  int isolated = 0;  // how many of them are a single vertex without a triangle
  std::vector<int> of_vertex;
  std::vector<int> of_triangle;
};

// Throws InputError for an index out of range.
Components connected_components(std::size_t vertex_count, const std::vector<Triangle>& triangles);

}  // namespace sinew
