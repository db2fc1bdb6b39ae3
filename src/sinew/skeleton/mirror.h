// SPDX-License-Identifier: Apache-2.0
// Which bone is the mirror image of which.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/plane.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {

// The name with its sides swapped: "left" and "right" anywhere (left, Left, LEFT), and l and r
// where they are a word of their own (arm.L, l_arm, bone_R.001) or stand before a capital at the
// beginning of one (lArm). A name without a side comes back as it is.
std::string mirrored_name(std::string_view name);

// For each bone its mirror image.
struct BoneMirror {
  std::vector<int> partner;    // partner[partner[b]] == b; b itself on the plane
  std::vector<bool> reversed;  // head and tail change places, as in a bone across the plane
  std::size_t unpaired = 0;    // bones without a mirror image: they are their own partners
};

// Bones whose head and tail lie at each other's mirror images, to `tolerance` of the skeleton's
// extent, are partners; where several do, those whose joints' names mirror each other, then the
// nearest. What is left is paired by name alone, wherever it lies, which keeps heads with heads.
// Throws UsageError for a plane whose normal is not of unit length and for a tolerance that is not
// a number from 0 on, InputError as require_joints_of_bones().
BoneMirror mirror_bones(const Skeleton& skeleton, const Plane& plane, double tolerance = 0.005);

}  // namespace sinew
