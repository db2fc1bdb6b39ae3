// SPDX-License-Identifier: Apache-2.0
// Where a bone that runs beside a surface is tied to it.
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

// A point of the surface that stands for the point of the bone at t.
struct BoneTie {
  double t = 0;
  Vec3 point;
  std::size_t triangle = 0;  // of those given
};

// The stretch of a bone that runs beside the surface, in parameters.
struct Beside {
  double from = 0, to = 1;
  // Surface that is farther from the bone's point is not tied to it.
  double farthest = std::numeric_limits<double>::infinity();
};

// For points of the stretch about `step` apart, along the bone, the nearest point of the surface
// among those that lie straight beside it: in the plane across the bone. So however far and in
// whichever direction the surface is, what is tied to t has t as its own nearest point of the bone,
// and ties cover all of the bone that has surface beside it. By t, ascending; empty where none has.
// Surface much farther away than elsewhere (three times the least distance and half the bone's
// length) is another's.
std::vector<BoneTie> ties_beside(const std::vector<Vec3>& positions,
                                 std::span<const Triangle> triangles, const Vec3& head,
                                 const Vec3& tail, double step, const Beside& stretch = {});

// Drops ties that another bone is nearer to than the bone that they were made for: that part of the
// surface is not its own.
struct BoneLine {
  Vec3 head, tail;
};
void keep_own(std::vector<BoneTie>& ties, const BoneLine& bone, std::span<const BoneLine> others);

// Of a bone that is inside of a shape elsewhere, the stretches that lie outside: a quarter of its
// length at the least, and with surface at no more than a quarter of its length. `inside` is asked
// at points between `from` and `to`, outside of which there is no shape beside the bone.
std::vector<Beside> stretches_outside(double from, double to, double length,
                                      const std::function<bool(double t)>& inside);

// The parameters of a bone, within [0, 1], that some of the box lies straight beside; none: 1 and
// 0.
std::pair<double, double> places_of_box(const Box& box, const Vec3& head, const Vec3& tail);

// What the notes say of a bone that was tied; `partly` if it is inside elsewhere.
std::string tied_beside(std::size_t bone, bool partly);

// Whether ties cover enough of a stretch to say that the surface runs along it.
bool covers(std::span<const BoneTie> ties, const Beside& stretch);

// The corner of the triangles that is nearest to the bone, for bones with no surface beside them;
// there must be one.
BoneTie nearest_tie(const std::vector<Vec3>& positions, std::span<const Triangle> triangles,
                    const Vec3& head, const Vec3& tail);

}  // namespace sinew::detail
