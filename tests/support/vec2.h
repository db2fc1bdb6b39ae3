// SPDX-License-Identifier: Apache-2.0
// What tests in the plane measure with.
#pragma once

#include <cmath>

#include "sinew/core/vec.h"

namespace sinew {

inline double length(Vec2 u) { return std::hypot(u.x, u.y); }

}  // namespace sinew
