// SPDX-License-Identifier: Apache-2.0
// Planes, and reflection in them.
#pragma once

#include "sinew/core/vec.h"

namespace sinew {

// The plane through `point`. `normal` has unit length and points to the positive side.
struct Plane {
  Vec3 point;
  Vec3 normal{1, 0, 0};
};

// Positive on the side that the normal points to.
constexpr double signed_distance(const Plane& plane, const Vec3& p) {
  return dot(p - plane.point, plane.normal);
}

// The mirror image of a direction or an offset, which the plane's place does not matter to.
constexpr Vec3 reflect_direction(const Plane& plane, const Vec3& d) {
  return d - plane.normal * (2 * dot(d, plane.normal));
}

// The mirror image of a point.
constexpr Vec3 reflect_point(const Plane& plane, const Vec3& p) {
  return p - plane.normal * (2 * signed_distance(plane, p));
}

}  // namespace sinew
