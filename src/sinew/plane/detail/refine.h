// SPDX-License-Identifier: Apache-2.0
// Delaunay refinement: adds vertices inside until the triangles are well shaped and small enough.
#pragma once

#include <cstddef>

#include "sinew/plane/detail/triangulation.h"

namespace sinew::plane {

// Lengths in steps of the grid.
struct Refinement {
  double min_angle = 20;  // degrees
  double max_edge = 0, min_edge = 0;
  double grading = 0.5;
  std::size_t most_points = 0;  // counts points outside too, but not the corners of the box
};

// Cell::inside must be set. Throws InputError if more than `most_points` are needed.
void refine(Triangulation& mesh, const Refinement& wanted);

// Throws the InputError for a mesh with too many points.
[[noreturn]] void throw_too_many(std::size_t most);

}  // namespace sinew::plane
