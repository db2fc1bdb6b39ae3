// SPDX-License-Identifier: Apache-2.0
// Adds vertices inside until the triangles are well shaped and small enough.
#pragma once

#include <cstddef>

#include "sinew/plane/detail/triangulation.h"

namespace sinew::plane {

// Lengths in steps of the grid.
struct Refinement {
  double min_angle = 20;  // degrees
  double max_edge = 0, min_edge = 0;
  double grading = 0.5;
  std::size_t most_points = 0;  // outside too, but for the corners of the box
};

// Needs to know which cells are inside. Throws InputError where more points are needed.
void refine(Triangulation& mesh, const Refinement& wanted);

// What is said where a mesh would have too many points.
[[noreturn]] void throw_too_many(std::size_t most);

}  // namespace sinew::plane
