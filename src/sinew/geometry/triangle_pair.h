// SPDX-License-Identifier: Apache-2.0
// Whether two triangles meet.
#pragma once

#include <array>

#include "sinew/core/vec.h"

namespace sinew {

// Touching counts, and so does what rounding cannot tell from touching: a determinant within its
// error bound (Shewchuk 1997) counts as 0, so that two triangles that meet are never taken for
// apart. Swapping the triangles or their corners changes nothing but such doubtful cases. Both must
// have an area.
bool triangles_meet(const std::array<Vec3, 3>& s, const std::array<Vec3, 3>& t);

}  // namespace sinew
