// SPDX-License-Identifier: Apache-2.0
// Local requirements of the input: edge lengths and sharp angles.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/plane/detail/refine.h"

namespace sinew::plane {

// For each vertex, how long edges may be there: little longer than the input's edges at the vertex,
// no longer than at any other vertex plus the grading times the distance to it, and between
// min_edge and max_edge.
std::vector<double> edge_lengths(const Triangulation& mesh, const Refinement& wanted);

// For each vertex, whether two fixed edges enclose an angle of less than 60 degrees inside the
// region.
std::vector<std::uint8_t> sharp_vertices(const Triangulation& mesh);

}  // namespace sinew::plane
