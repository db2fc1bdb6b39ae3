// SPDX-License-Identifier: Apache-2.0
// Separates a figure from a background of one colour.
#pragma once

#include <optional>

#include "sinew/image/image.h"
#include "sinew/picture/mask.h"

namespace sinew::detail {

// The most common colour of the picture's border, and its share of the border in [0, 1].
struct BorderColor {
  Pixel color;
  double share = 0;
};
BorderColor border_color(const Image& picture, double tolerance);

// The largest difference of a colour channel, in [0, 1]; alpha is ignored.
double color_difference(const Pixel& a, const Pixel& b);

// Keeps only the part of `mask` that is connected to the picture's border (4-connectivity).
void keep_what_reaches_the_border(Mask& mask);

// The picture with alpha 0 outside `figure`. Along the figure's border, alpha is chosen so that the
// colours there are a mix of the background and the colours just inside.
Image cut_out(const Image& picture, const Mask& figure, const Pixel& background, double tolerance);

}  // namespace sinew::detail
