// SPDX-License-Identifier: Apache-2.0
// How much of the bones' states a method reads.
#pragma once

#include "sinew/deform/bone_state.h"
#include "sinew/deform/method.h"

namespace sinew {

BoneDetail bone_detail(const Method& method);

}  // namespace sinew
