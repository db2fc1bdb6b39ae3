// SPDX-License-Identifier: Apache-2.0
// The beast's body; its motion is in beast_clips.cpp.
#pragma once

#include "sinew/samples/internal/blueprint.h"

namespace sinew::samples {

inline constexpr int beast_neck_bones = 4;
inline constexpr int beast_tail_bones = 6;

// Some 3 m tall to the horns and 4.6 m from the snout to the end of the tail.
Blueprint beast_blueprint();

}  // namespace sinew::samples
