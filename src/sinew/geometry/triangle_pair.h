// SPDX-License-Identifier: Apache-2.0
// Whether two triangles meet.
#pragma once

#include <array>

#include "sinew/core/vec.h"

namespace sinew {

// Conservative: touching counts, and a determinant within its error bound (Shewchuk 1997) counts as
// 0, so that two triangles that meet are never reported as apart. Swapping the triangles or their
// corners can change the result only in such doubtful cases. Both triangles must have an area.
bool triangles_meet(const std::array<Vec3, 3>& s, const std::array<Vec3, 3>& t);

}  // namespace sinew
