// SPDX-License-Identifier: Apache-2.0
// The built-in font: how each character is drawn.
#pragma once

#include <string_view>

namespace sinew::draw {

// In units such that a capital is 14 high and a small x 10; y points up from the baseline. The
// strokes are "L x y x y ..." lines through points, "O cx cy rx ry" an ellipse, "A cx cy rx ry from
// to" a part of one between two angles in degrees, counter-clockwise from the right, "D x y" a dot.
struct Glyph {
  double width;
  std::string_view strokes;
};

inline constexpr double units_per_size = 20;

// The glyph of an ASCII character; a box for any other.
const Glyph& glyph(char character);

}  // namespace sinew::draw
