// SPDX-License-Identifier: Apache-2.0
// Matches the bones of two skeletons by the names of their joints.
#pragma once

#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// For each bone of the one skeleton a bone of the other.
struct BoneMatch {
  std::vector<BoneIndex> partner;
  std::vector<bool> by_name;  // false: it has no partner, and this is what stands in for it
};

// Names are compared as they are and, where that finds nothing, without what stands before their
// last colon (mixamorig:Hips). Bones that share a joint are matched in their order. A bone without
// partner gets that of its nearest ancestor with one or, above all of these, of the bone with one
// whose head is nearest to its own. If no joint of bones has a name in either skeleton, bones are
// matched by number. Throws InputError if no bone is matched.
BoneMatch match_bones(const Skeleton& from, const Skeleton& to);

}  // namespace sinew
