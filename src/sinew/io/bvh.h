// SPDX-License-Identifier: Apache-2.0
// Motion capture (.bvh): a skeleton and one clip.
#pragma once

#include <string>
#include <string_view>

#include "sinew/rig/rig.h"

namespace sinew {

// Joints in file order, one bone each, and a clip with Euler curves in each joint's own rotation
// order. Position channels replace OFFSET as the joint's position in its parent's frame; an axis
// without a channel keeps OFFSET's value. An End Site becomes the tail of the leaf's bone, unless
// it coincides with the head. A clip without frames has no channels. Throws InputError naming the
// line.
Rig read_bvh(std::string_view text);

// The skeleton without its frames, in world space, and the rig's first clip at `fps` frames per
// second; without a clip, one frame at rest. At rest all axes are the world's. Each root has a
// position, and so has each joint that the clip moves against its parent; scale and shear are lost.
// Throws UsageError for a rig without joints, a rate that is not positive and finite, or more than
// 2 million frames.
std::string write_bvh(const Rig& rig, double fps = 30);

}  // namespace sinew
