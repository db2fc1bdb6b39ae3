// SPDX-License-Identifier: Apache-2.0
// Distances and solid angles of single triangles and segments, which all mesh queries build on.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// The parameter in [0, 1] of the point on the segment a b nearest to p; 0 if the segment has no
// length.
double closest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b);

// The point of a triangle nearest to a point p, relative to p: far from the origin this keeps
// digits that p + offset would lose.
struct TrianglePoint {
  Vec3 offset;       // from p to the point
  Vec3 barycentric;  // at least 0 each, sum 1
  double distance_squared = 0;
};

// Degenerate triangles are treated as a segment or a point.
TrianglePoint closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

// The signed solid angle in [-2 pi, 2 pi] under which p sees the triangle (Van Oosterom and
// Strackee 1983): positive from behind, where a, b, c appear clockwise. 0 in the plane of the
// triangle, even on the triangle itself, and for triangles without area.
double solid_angle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

// Whether the triangle is degenerate up to rounding: its height is less than 1e-14 times its
// longest edge.
bool has_no_area(const Vec3& a, const Vec3& b, const Vec3& c);

// The smallest angle of all triangles, in radians; pi / 3 if there are no triangles. Throws
// InputError for an index out of range.
double smallest_angle(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

// Throws InputError naming the first triangle with an index out of range.
void require_indices(std::size_t vertex_count, const std::vector<Triangle>& triangles);

// The same, and throws InputError for the first vertex that is not finite.
void require_sound(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

}  // namespace sinew
