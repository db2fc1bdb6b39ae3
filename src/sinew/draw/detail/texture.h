// SPDX-License-Identifier: Apache-2.0
// Texture sampling.
#pragma once

#include <vector>

#include "sinew/core/vec.h"
#include "sinew/draw/detail/canvas.h"
#include "sinew/image/image.h"

namespace sinew::draw {

// Premultiplied linear light, with mipmaps.
class Texture {
 public:
  explicit Texture(const Image& image);

  // The light from a screen pixel that covers an ellipse in the texture: about `place`, v upwards,
  // with `axis` from its one end to the other, and so wide across, both as fractions of the
  // texture's width and height. [0, 1] covers the picture, which repeats outside. Where the ellipse
  // is long, as in stripes, it is looked at in several places along its axis.
  Light over(const Vec2& place, const Vec2& axis, double across) const;

  bool see_through() const { return see_through_; }

 private:
  // Bilinear, in the mipmap level whose pixels are about `step` wide.
  Light at(double u, double v, double step) const;

  std::vector<Canvas> sizes_;
  bool see_through_ = false;
};

}  // namespace sinew::draw
