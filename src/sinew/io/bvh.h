// SPDX-License-Identifier: Apache-2.0
// Motion capture (.bvh): a skeleton and one clip.
#pragma once

#include <string_view>

#include "sinew/rig/rig.h"

namespace sinew {

// The joints in the order of the file, one bone each, and a clip with Euler curves in each joint's
// own order. Position channels say where the joint is in its parent's frame, in place of OFFSET; an
// axis without one keeps OFFSET's. An End Site is the tail of the leaf's bone, unless it is at its
// head. A clip of no frames has no channels. Throws InputError naming the line.
Rig read_bvh(std::string_view text);

}  // namespace sinew
