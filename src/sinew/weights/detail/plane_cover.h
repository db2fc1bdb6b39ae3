// SPDX-License-Identifier: Apache-2.0
// The parts of a line in the plane that are covered by triangles.
#pragma once

#include <vector>

#include "sinew/geometry/bvh.h"
#include "sinew/geometry/components.h"

namespace sinew::detail {

// A range of the parameter along a line, within [0, 1].
struct Interval {
  double low = 0, high = 1;
};

// The region covered by triangles in the plane z = 0, whatever their winding order and even if they
// overlap. Coordinates should be of about unit size; points closer to the region than 1e-9 count as
// covered. Triangles without area cover nothing. Queries may run on several threads.
class PlaneCover {
 public:
  static constexpr int any_part = -1;

  // Only x and y of the points are used. Triangles connected by shared vertices form a part.
  PlaneCover(std::vector<Vec3> points, std::vector<Triangle> triangles);

  // The part that a vertex belongs to; any_part if no triangle with an area uses it.
  int part_of(std::size_t vertex) const { return part_of_vertex_[vertex]; }

  // Where the line between two points is covered by the triangles of a part: disjoint, ascending.
  // Gaps shorter than 1e-7 are closed. For two equal points the result is either empty or [0, 1].
  void along(const Vec3& from, const Vec3& to, int part, std::vector<Interval>& covered) const;

 private:
  std::vector<Vec3> points_;
  std::vector<Triangle> triangles_;  // all with an area, anticlockwise
  std::vector<int> part_of_triangle_, part_of_vertex_;
  Bvh bvh_;
};

}  // namespace sinew::detail
