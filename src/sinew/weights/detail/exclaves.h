// SPDX-License-Identifier: Apache-2.0
// Exclaves: skin that is separated from the bone it follows by the skin of other bones.
#pragma once

#include <span>
#include <vector>

#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/detail/bone_ways.h"

namespace sinew::detail {

// Returns for each vertex whether it belongs to an exclave. `bone_of` holds the main bone of each
// vertex of the welded mesh, -1 for none. A bone's skin is divided into pieces connected by edges.
// A piece is an exclave if it borders on skin of other bones, its bone is not outside the shape,
// each of its vertices has a path to the bone, none of them is near the bone
// (BoneWays::near_ratio), and more than one adjacent bone lies between: it borders on a bone that
// is neither parent nor child of its own, or it is farther from its bone than half the length of
// every bone it borders on.
std::vector<char> find_exclaves(const BoneWays& ways, const Skeleton& skeleton,
                                std::span<const int> bone_of);

}  // namespace sinew::detail
