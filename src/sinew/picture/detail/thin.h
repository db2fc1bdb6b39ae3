// SPDX-License-Identifier: Apache-2.0
// Distance transform and thinning of a mask.
#pragma once

#include <vector>

#include "sinew/picture/mask.h"

namespace sinew::detail {

// The exact distance of each pixel's centre from the nearest centre of a pixel that is outside, or
// beyond the picture; 0 outside (Felzenszwalb and Huttenlocher 2012).
std::vector<double> distances_to_outside(const Mask& mask);

// Lines along the ridges of the distances, with the same topology as the mask: removes pixels,
// those nearest to the outside first, unless they are needed for the topology or are ends of lines.
Mask thinned(const Mask& mask, const std::vector<double>& distances);

}  // namespace sinew::detail
