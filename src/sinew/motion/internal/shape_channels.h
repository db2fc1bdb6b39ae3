// SPDX-License-Identifier: Apache-2.0
// Parts of channels that drive several blend shapes.
#pragma once

#include <span>

#include "sinew/motion/clip.h"

namespace sinew {

// The channel for some of its shapes, as shapes first_shape and following. `places` are those of
// the shapes in the values of its keys.
ShapeChannel channel_part(const ShapeChannel& channel, int first_shape,
                          std::span<const std::size_t> places);

}  // namespace sinew
