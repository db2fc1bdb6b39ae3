// SPDX-License-Identifier: Apache-2.0
// A bone's frame at bind.
#pragma once

#include "sinew/core/mat3.h"

namespace sinew {

// A rotation whose first axis points from head to tail.
inline Mat3 bind_frame(const Vec3& head, const Vec3& tail) {
  const Vec3 u = normalized(tail - head);
  const Vec3 v = any_perpendicular(u);
  return {u, v, cross(u, v)};
}

}  // namespace sinew
