// SPDX-License-Identifier: Apache-2.0
// The render target: linear light with premultiplied alpha, and the surface behind each pixel.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "sinew/image/image.h"

namespace sinew::draw {

struct Light {
  Rgb color;  // premultiplied
  float alpha = 0;
};

// The surface visible at a pixel's centre, in view space.
struct Seen {
  Vec3f normal;
  float depth = std::numeric_limits<float>::infinity();  // along the line of sight
};

struct Canvas {
  Canvas(int w, int h)
      : width(w), height(h), light(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }

  int width, height;
  std::vector<Light> light;
  std::vector<Seen> seen;  // one per pixel, or empty if not needed
};

}  // namespace sinew::draw
