// SPDX-License-Identifier: Apache-2.0
// The points where bones start and end: the joints that joint weights belong to.
#pragma once

#include <array>
#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// Ends of several bones at the same place (to 1e-6 of the skeleton's extent) are one point.
struct BoneEnds {
  std::vector<Vec3> points;               // in order of first use by a bone
  std::vector<std::array<int, 2>> bones;  // for each bone, the indices of its head and tail
};

// Throws InputError for an end that is not finite.
BoneEnds bone_ends(const Skeleton& skeleton);

}  // namespace sinew
