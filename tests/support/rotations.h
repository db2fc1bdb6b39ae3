// SPDX-License-Identifier: Apache-2.0
// Random rotations, and comparison of rotations.
#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/quat.h"
#include "tests/support/shapes.h"

namespace sinew {

inline Quat random_rotation(Random& random) {
  return normalized(Quat{random.number(), random.number(), random.number(), random.number()});
}

// A quaternion and its negative are the same rotation. Compares nearly half the angle between the
// two; their dot product is a cosine, which would hide small angles.
inline void expect_same_rotation(const Quat& a, const Quat& b, double tolerance) {
  const Quat c = dot(a, b) < 0 ? -b : b;
  EXPECT_NEAR(std::hypot(std::hypot(a.x - c.x, a.y - c.y), std::hypot(a.z - c.z, a.w - c.w)), 0,
              tolerance);
}

}  // namespace sinew
