// SPDX-License-Identifier: Apache-2.0
// Ties between a bone that runs outside a shape and the surface beside it.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew::detail {

// A surface point that represents the bone's point at parameter t.
struct BoneTie {
  double t = 0;
  Vec3 point;
  std::size_t triangle = 0;  // of those given
};

// The interval of a bone, in its parameter, that runs beside the surface.
struct Beside {
  double from = 0, to = 1;
  // Surface farther from the bone than this is not tied to it.
  double farthest = std::numeric_limits<double>::infinity();
};

// For points about `step` apart along the interval, the nearest surface point in the plane through
// that point perpendicular to the bone. So a surface point tied to t always projects to t, whatever
// its distance and direction, and the ties cover every part of the bone that has surface beside it.
// Ascending by t; empty if there is none. Surface much farther away than elsewhere (more than three
// times the smallest distance and half the bone's length) is taken to belong to another bone.
std::vector<BoneTie> ties_beside(const std::vector<Vec3>& positions,
                                 std::span<const Triangle> triangles, const Vec3& head,
                                 const Vec3& tail, double step, const Beside& stretch = {});

// Drops ties to surface points that are nearer to one of `others` than to `bone`: that part of the
// surface belongs to another bone.
struct BoneLine {
  Vec3 head, tail;
};
void keep_own(std::vector<BoneTie>& ties, const BoneLine& bone, std::span<const BoneLine> others);

// The intervals outside the shape of a bone that is partly inside it. Each is at least a quarter of
// the bone's length, and is tied only to surface within a quarter of that length. `inside` is
// sampled between `from` and `to`; beyond these parameters there is no shape beside the bone.
std::vector<Beside> stretches_outside(double from, double to, double length,
                                      const std::function<bool(double t)>& inside);

// The range of parameters in [0, 1] that points of the box project to; {1, 0} if it is empty.
std::pair<double, double> places_of_box(const Box& box, const Vec3& head, const Vec3& tail);

// The note for a bone that was tied; `partly` if another part of it is inside.
std::string tied_beside(std::size_t bone, bool partly);

// Whether the ties cover enough of the interval to say that the surface runs along it.
bool covers(std::span<const BoneTie> ties, const Beside& stretch);

// The triangle corner nearest to the bone, for bones with no surface beside them. There must be at
// least one triangle.
BoneTie nearest_tie(const std::vector<Vec3>& positions, std::span<const Triangle> triangles,
                    const Vec3& head, const Vec3& tail);

}  // namespace sinew::detail
