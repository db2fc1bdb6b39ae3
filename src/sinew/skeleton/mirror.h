// SPDX-License-Identifier: Apache-2.0
// Pairs bones with their mirror images.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/plane.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {

// The name with its sides swapped: "left" and "right" anywhere (left, Left, LEFT), and l and r if
// they are a separate word (arm.L, l_arm, bone_R.001) or precede a capital letter at the start of
// one (lArm). A name without a side is returned unchanged.
std::string mirrored_name(std::string_view name);

// Which side of the character a name says, by the same words.
enum class NameSide { none, left, right };
// The first side in the name; `none` if it has none.
NameSide name_side(std::string_view name);

// For each bone its mirror image.
struct BoneMirror {
  std::vector<int> partner;         // partner[partner[b]] == b; b itself on the plane
  std::vector<bool> reversed;       // head and tail are swapped, as for a bone across the plane
  std::vector<BoneIndex> unpaired;  // bones without a mirror image: they are their own partners
};

// Two bones are partners if their ends are mirror images of each other, within `tolerance` times
// the skeleton's extent. Among several candidates, one whose joint has the mirrored name is
// preferred, then the nearest. The remaining bones are paired by name alone, wherever they lie;
// such pairs are never reversed. Throws UsageError if the plane's normal does not have unit length
// or the tolerance is negative or NaN, InputError as require_joints_of_bones().
BoneMirror mirror_bones(const Skeleton& skeleton, const Plane& plane, double tolerance = 0.005);

}  // namespace sinew
