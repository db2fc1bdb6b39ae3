// SPDX-License-Identifier: Apache-2.0
// What names the blend shapes of a rig by number, after these have got other numbers.
#pragma once

#include <vector>

#include "sinew/rig/rig.h"

namespace sinew {

// For each shape by its old number: its new ones. None: it is gone; several: it was cut.
using ShapePlaces = std::vector<std::vector<int>>;

// Changes clips, drivers of shapes and pose spaces; the shapes themselves are the caller's. What
// was left without a shape is removed: channels, examples of poses, and spaces without examples.
void move_shapes(Rig& rig, const ShapePlaces& places);

}  // namespace sinew
