// SPDX-License-Identifier: Apache-2.0
// Labels: a stroke font for ASCII characters, smooth at any size.
#pragma once

#include <string_view>

#include "sinew/image/image.h"

namespace sinew {

// What a label looks like.
struct TextStyle {
  double size = 16;  // of the font in pixels: capitals are 0.7 of it high, descenders 0.2 deep
  Rgb color;
  float opacity = 1;
  bool bold = false;
};

// The width of the text in pixels. Sizes must be above 0.
double text_width(std::string_view text, double size);

// Draws one line with its baseline starting at (x, y), in pixels from the upper left corner.
// Clipped to the image; non-ASCII characters are drawn as boxes.
void draw_text(Image& image, double x, double y, std::string_view text, const TextStyle& style);

}  // namespace sinew
