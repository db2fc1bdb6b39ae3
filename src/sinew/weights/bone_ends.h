// SPDX-License-Identifier: Apache-2.0
// The points that bones start and end at: the joints as seen by weights.
#pragma once

#include <array>
#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// Ends of several bones at the same place (to 1e-9 of the skeleton's extent) are one point.
struct BoneEnds {
  std::vector<Vec3> points;               // in the order in which bones name them
  std::vector<std::array<int, 2>> bones;  // for each bone, its head and its tail among them
};

// Throws InputError for an end that is not finite.
BoneEnds bone_ends(const Skeleton& skeleton);

}  // namespace sinew
