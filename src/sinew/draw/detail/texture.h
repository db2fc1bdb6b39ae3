// SPDX-License-Identifier: Apache-2.0
// A picture to look up colours in.
#pragma once

#include <vector>

#include "sinew/draw/detail/canvas.h"
#include "sinew/image/image.h"

namespace sinew::draw {

// Premultiplied linear light, with the same at half, a quarter ... of the size.
class Texture {
 public:
  explicit Texture(const Image& image);

  // The light at (u, v), v upwards, [0, 1] over the picture and repeating outside, between its four
  // nearest pixels; where the step from pixel to pixel of the drawing is `step` of the texture's
  // width or height, in the size in which that is about a pixel.
  Light at(double u, double v, double step) const;

  bool see_through() const { return see_through_; }

 private:
  std::vector<Canvas> sizes_;
  bool see_through_ = false;
};

}  // namespace sinew::draw
