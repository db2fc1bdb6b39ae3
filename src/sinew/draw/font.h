// SPDX-License-Identifier: Apache-2.0
// Labels: a font drawn with strokes, for the characters of ASCII, smooth at any size.
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

// How far the text reaches to the right, in pixels. Sizes are above 0.
double text_width(std::string_view text, double size);

// One line with its baseline beginning at (x, y), in pixels from the upper left corner. What does
// not fit into the image is cut off; characters that are not ASCII come out as boxes.
void draw_text(Image& image, double x, double y, std::string_view text, const TextStyle& style);

}  // namespace sinew
