// SPDX-License-Identifier: Apache-2.0
// Unit space: a mesh and its bones scaled to about unit size around the origin, to avoid overflow
// and underflow.
#pragma once

#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::detail {

struct UnitSpace {
  Vec3 center;          // in mesh space, scaled
  double scale = 1;     // a power of two, so that scaling is exact
  double rounding = 0;  // distances below this, in unit space, are rounding noise

  Vec3 to_unit(const Vec3& p) const { return p * scale - center; }
};

// The unit space of all positions and bones. Throws InputError for an invalid skeleton or one
// without bones, and for the first position that is not finite.
UnitSpace unit_space(std::span<const Vec3> positions, const Skeleton& skeleton);

struct Segment {
  Vec3 head, arm;
  double inverse_squared = 0;  // 1 / length^2; 0 for a segment without length

  Vec3 at(double t) const { return head + arm * t; }
};

Segment segment(const Vec3& head, const Vec3& tail);
std::vector<Segment> bone_segments(const UnitSpace& space, const Skeleton& skeleton);

inline double closest_on(const Segment& s, const Vec3& p) {
  const double t = dot(p - s.head, s.arm) * s.inverse_squared;
  return t < 0 ? 0 : t > 1 ? 1 : t;
}

inline double distance_squared(const Segment& s, const Vec3& p) {
  return length_squared(p - s.at(closest_on(s, p)));
}

}  // namespace sinew::detail
