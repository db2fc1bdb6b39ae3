// SPDX-License-Identifier: Apache-2.0
// The joints that carry the bones of a picture. Bone b's own joint is joint b of the skeleton.
#pragma once

#include <vector>

#include "sinew/puppet/puppet.h"

namespace sinew::detail {

// From pixels to the rig's units.
Vec3 to_units(const Puppet& puppet, const Vec2& place);

// Of puppet.bones: first a joint for each bone, then the frames at the ends.
Skeleton puppet_skeleton(const Puppet& puppet);

// For each bone the one it hangs on: the first that leads to where it starts, or else its parent;
// no_picture_bone: none.
std::vector<int> bones_above(const PictureBones& bones);

}  // namespace sinew::detail
