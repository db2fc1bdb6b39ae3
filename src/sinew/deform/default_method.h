// SPDX-License-Identifier: Apache-2.0
// The method for a rig where none is asked for.
#pragma once

#include <string_view>

#include "sinew/rig/rig.h"

namespace sinew {

// stbs-mixed if the rig's skin says how much of linear and how much of dual quaternion blending
// each vertex gets (Skin::blend_shares), else stbs-dqs.
std::string_view default_method_name(const Rig& rig);

}  // namespace sinew
