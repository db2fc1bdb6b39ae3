// SPDX-License-Identifier: Apache-2.0
// Distances and solid angles of single triangles and segments; every mesh query stands on these.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// The parameter in [0, 1] of the point of the segment a b nearest to p; 0 where it has no length.
double closest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b);

// The point of a triangle nearest to some p, given relative to p: far from the origin that keeps
// the digits that p + offset would lose.
struct TrianglePoint {
  Vec3 offset;       // from p to the point
  Vec3 barycentric;  // at least 0 each, sum 1
  double distance_squared = 0;
};

// Triangles without area count as the segment or the point that they are.
TrianglePoint closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

// The signed solid angle in [-2 pi, 2 pi] under which p sees the triangle (Van Oosterom and
// Strackee 1983): positive from behind, where a, b, c run clockwise. 0 in the triangle's own plane,
// on the triangle too, and for triangles without area.
double solid_angle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

// Whether a triangle has no area to rounding: it is lower than a 1e-14th of its longest edge.
bool has_no_area(const Vec3& a, const Vec3& b, const Vec3& c);

// The smallest angle of all triangles, in radians; that of equal sides where there are none. Throws
// InputError for an index out of range.
double smallest_angle(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

// Throws InputError naming the first triangle with an index out of range.
void require_indices(std::size_t vertex_count, const std::vector<Triangle>& triangles);

// The same, and for the first vertex that is not finite.
void require_sound(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

}  // namespace sinew
