// SPDX-License-Identifier: Apache-2.0
// Texture sampling.
#pragma once

#include <vector>

#include "sinew/draw/detail/canvas.h"
#include "sinew/image/image.h"

namespace sinew::draw {

// Premultiplied linear light, with mipmaps.
class Texture {
 public:
  explicit Texture(const Image& image);

  // The light at (u, v), with v upwards; [0, 1] covers the picture, which repeats outside.
  // Bilinear, in the mipmap level where `step`, the distance between neighbouring screen pixels as
  // a fraction of the texture's width or height, is about one pixel.
  Light at(double u, double v, double step) const;

  bool see_through() const { return see_through_; }

 private:
  std::vector<Canvas> sizes_;
  bool see_through_ = false;
};

}  // namespace sinew::draw
