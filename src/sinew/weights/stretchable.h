// SPDX-License-Identifier: Apache-2.0
// Bones whose stretch and twist would not show.
#pragma once

#include <vector>

#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/weights.h"

namespace sinew {

// The bones, ascending, whose endpoint weights hardly vary over what they move, although it lies
// along them: over the vertices straight beside the bone (those that project to between its ends),
// by weight, they deviate from their mean by less than a tenth of what projection does. Stretching
// such a bone moves its part as a whole. Bones that say nothing are left out: those that move next
// to nothing, or hardly anything beside them (less than a quarter of their weight: tiny bones, and
// bones that only move what lies beyond an end), or only a short stretch of themselves.
// `endpoints` has one value for each influence.
std::vector<BoneIndex> bones_that_cannot_stretch(const std::vector<Vec3>& positions,
                                                 const Skeleton& skeleton, const Weights& weights,
                                                 const std::vector<double>& endpoints);

}  // namespace sinew
