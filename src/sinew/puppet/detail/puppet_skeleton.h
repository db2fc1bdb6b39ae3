// SPDX-License-Identifier: Apache-2.0
// The skeleton for the bones of a picture. The joint of bone b is joint b of the skeleton.
#pragma once

#include <vector>

#include "sinew/puppet/puppet.h"

namespace sinew::detail {

// From pixels to the rig's units.
Vec3 to_units(const Puppet& puppet, const Vec2& place);

// The skeleton of puppet.bones: first a joint for each bone, then the frames at the ends.
Skeleton puppet_skeleton(const Puppet& puppet);

// The parent of each bone: the first bone that ends where it starts, or else its stated parent;
// no_picture_bone if there is none.
std::vector<int> bones_above(const PictureBones& bones);

}  // namespace sinew::detail
