// SPDX-License-Identifier: Apache-2.0
// Skin that follows a bone from which all skin of other bones separates it.
#pragma once

#include <span>
#include <vector>

#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/detail/bone_ways.h"

namespace sinew::detail {

// `bone_of` has the bone that each vertex of the welded mesh follows most, -1 for none. A bone's
// skin falls into pieces connected by edges. A piece is an exclave if it borders on skin of other
// bones, its bone is not outside of the shape, there is a way to the bone from each of its
// vertices, none of them is near the bone (BoneWays::near_ratio), and more than the next bone lies
// between: it borders on one that is neither the bone's parent nor its child, or is further from
// the bone than half the length of all that it borders on. For each vertex, whether it belongs to
// an exclave.
std::vector<char> find_exclaves(const BoneWays& ways, const Skeleton& skeleton,
                                std::span<const int> bone_of);

}  // namespace sinew::detail
