// SPDX-License-Identifier: Apache-2.0
// Which part of a straight line in the plane triangles cover.
#pragma once

#include <vector>

#include "sinew/geometry/bvh.h"
#include "sinew/geometry/components.h"

namespace sinew::detail {

// Parameters along a line from 0 to 1, low to high.
struct Interval {
  double low = 0, high = 1;
};

// The region that triangles cover in the plane z = 0, whichever way round they are, also where they
// lie on top of each other. Coordinates of about unit size; what is closer to the region than 1e-9
// counts as covered. Triangles without area cover nothing. Queries may run on several threads.
class PlaneCover {
 public:
  static constexpr int any_part = -1;

  // Of the points only x and y count. A part is what is connected by shared vertices.
  PlaneCover(std::vector<Vec3> points, std::vector<Triangle> triangles);

  // The part that a vertex belongs to; any_part for one that no triangle with an area uses.
  int part_of(std::size_t vertex) const { return part_of_vertex_[vertex]; }

  // Where the line between two points is covered by the triangles of a part: disjoint, ascending.
  // Gaps shorter than 1e-7 are closed. For two points at one place either nothing or 0 to 1.
  void along(const Vec3& from, const Vec3& to, int part, std::vector<Interval>& covered) const;

 private:
  std::vector<Vec3> points_;
  std::vector<Triangle> triangles_;  // all with an area, anticlockwise
  std::vector<int> part_of_triangle_, part_of_vertex_;
  Bvh bvh_;
};

}  // namespace sinew::detail
