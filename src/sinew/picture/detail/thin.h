// SPDX-License-Identifier: Apache-2.0
// Distances to the outside of a mask, and its thin skeleton of pixels.
#pragma once

#include <vector>

#include "sinew/picture/mask.h"

namespace sinew::detail {

// The exact distance of each pixel's centre from the nearest centre of a pixel that is outside, or
// beyond the picture; 0 outside (Felzenszwalb and Huttenlocher 2012).
std::vector<double> distances_to_outside(const Mask& mask);

// Lines along the ridges of the distances that hold together as the mask does: its pixels, those
// nearest to the outside first, are taken away unless they are needed for that, or the ends of
// lines.
Mask thinned(const Mask& mask, const std::vector<double>& distances);

}  // namespace sinew::detail
