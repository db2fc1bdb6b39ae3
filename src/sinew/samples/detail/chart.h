// SPDX-License-Identifier: Apache-2.0
// Pictures for characters: plain colours for clothes and skin, and a painted head.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::samples {

// A picture whose lower quarter has a band for each colour and whose rest shows the head, one half
// of it, as the other is its mirror image. No vertex needs two places in it: bands that touch on
// the body are neighbours, and the head's halves meet where they are the same.
struct Chart {
  std::vector<Vec3> zones;      // the colours of the bands; the last one's is the head's
  double from = 0, to = 1;      // heights between which the head is
  double crown = 0;             // the height of its middle, above which it is round
  Vec3 (*head)(const Vec3& p);  // its colour at a place, given by x >= 0 and y, z being about right
};

// Where a point of the body is in the picture, v upwards. `zone` is the number of its colour or,
// between two, a mean of theirs.
Vec2 place_in(const Chart& chart, const Vec3& p, double zone);

// The bytes of the picture, a PNG.
std::string picture_of(const Chart& chart);

}  // namespace sinew::samples
