// SPDX-License-Identifier: Apache-2.0
// Edges that a triangulation must have.
#pragma once

#include "sinew/plane/detail/triangulation.h"

namespace sinew::plane {

// Makes a chain of fixed edges from vertex `a` to vertex `b`, and returns the segment that has them
// as its children (none, where a is b). What was Delaunay before is so afterwards.
//
// Vertices within one step of the grid from the segment become part of it. Where it crosses a fixed
// edge both go through a new vertex at their crossing, rounded to the grid, or through one of their
// ends if that is the same at this resolution. Each time, a segment gives way to shorter ones, so
// that this ends (as snap rounding does: Guibas and Marimont 1998).
//
// An edge that parts inside from outside twice does not any more.
Index fix_segment(Triangulation& mesh, Index a, Index b, bool outline);

}  // namespace sinew::plane
