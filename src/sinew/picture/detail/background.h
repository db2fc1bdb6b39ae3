// SPDX-License-Identifier: Apache-2.0
// Telling a figure from a background of one colour.
#pragma once

#include <optional>

#include "sinew/image/image.h"
#include "sinew/picture/mask.h"

namespace sinew::detail {

// The colour that most of the picture's border has, and which part of it, in [0, 1].
struct BorderColor {
  Pixel color;
  double share = 0;
};
BorderColor border_color(const Image& picture, double tolerance);

// The largest difference of a channel, in [0, 1]; alpha left aside.
double color_difference(const Pixel& a, const Pixel& b);

// Keeps of `mask` only what hangs together with the border of the picture through the sides of
// pixels.
void keep_what_reaches_the_border(Mask& mask);

// The picture with alpha 0 where `figure` is not, and along its border the alpha that explains the
// colours there as a mix of the background with the colours just inside.
Image cut_out(const Image& picture, const Mask& figure, const Pixel& background, double tolerance);

}  // namespace sinew::detail
