// SPDX-License-Identifier: Apache-2.0
// Constrained edges of a triangulation.
#pragma once

#include "sinew/plane/detail/triangulation.h"

namespace sinew::plane {

// Inserts a chain of fixed edges from vertex `a` to vertex `b`, and returns the segment whose
// children they are (`none` if a is b). Keeps the triangulation constrained Delaunay.
//
// Vertices within one step of the grid from the segment become part of it. Where it crosses a fixed
// edge, both are routed through a new vertex at the crossing, rounded to the grid, or through one
// of their ends if that is the same grid point. Each time, a segment is replaced by shorter ones,
// so the process ends (as in snap rounding: Guibas and Marimont 1998).
//
// By the even-odd rule, an edge that is inserted twice as part of the outline no longer separates
// inside from outside.
Index fix_segment(Triangulation& mesh, Index a, Index b, bool outline);

}  // namespace sinew::plane
