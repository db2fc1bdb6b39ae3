// SPDX-License-Identifier: Apache-2.0
// Rotations to test with, and their comparison.
#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/quat.h"
#include "tests/support/shapes.h"

namespace sinew {

inline Quat random_rotation(Random& random) {
  return normalized(Quat{random.number(), random.number(), random.number(), random.number()});
}

// A quaternion and its negative are the same rotation.
inline void expect_same_rotation(const Quat& a, const Quat& b, double tolerance) {
  EXPECT_NEAR(std::fabs(dot(a, b)), 1.0, tolerance);
}

}  // namespace sinew
