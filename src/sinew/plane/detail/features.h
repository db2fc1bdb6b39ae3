// SPDX-License-Identifier: Apache-2.0
// What the input asks of the mesh near its vertices.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/plane/detail/refine.h"

namespace sinew::plane {

// For each vertex, how long edges may be there: little longer than the input's edges at it, and no
// longer than elsewhere plus the grading times the way there; between the least and the greatest
// edge.
std::vector<double> edge_lengths(const Triangulation& mesh, const Refinement& wanted);

// For each vertex, whether fixed edges meet there with less than 60 degrees of inside between them.
std::vector<std::uint8_t> sharp_vertices(const Triangulation& mesh);

}  // namespace sinew::plane
