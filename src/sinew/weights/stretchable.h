// SPDX-License-Identifier: Apache-2.0
// Finds bones whose stretch and twist would have no visible effect.
#pragma once

#include <vector>

#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/weights.h"

namespace sinew {

// The bones, ascending, whose endpoint weights hardly vary over their skin although it extends
// along them. Over the vertices that project between the bone's ends, the weighted deviation of the
// endpoint weights from their mean is less than a tenth of that of projection weights. Stretching
// such a bone moves its skin as a whole. Bones that allow no verdict are left out: those with
// almost no skin, those with less than a quarter of their weight between their ends (tiny bones,
// and bones that only move what lies beyond an end), and those with skin along only a short part.
// `endpoints` has one value for each influence.
std::vector<BoneIndex> bones_that_cannot_stretch(const std::vector<Vec3>& positions,
                                                 const Skeleton& skeleton, const Weights& weights,
                                                 const std::vector<double>& endpoints);

}  // namespace sinew
