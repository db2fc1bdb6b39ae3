// SPDX-License-Identifier: Apache-2.0
// Draws surfaces on a canvas: from triangles in world space to light.
#pragma once

#include <span>

#include "sinew/draw/detail/canvas.h"
#include "sinew/draw/scene.h"

namespace sinew::draw {

// The viewing ray of a pixel in view space, origin + t * direction; the depth of a point is its -z.
// The direction's z is -1.
struct Ray {
  Vec3f origin, direction;
};

class Rays {
 public:
  Rays(const Camera& camera, int width, int height);
  Ray at(float x, float y) const {
    const float u = (x - middle_x_) * pixel_, v = (middle_y_ - y) * pixel_;
    return perspective_ ? Ray{{}, {u, v, -1}} : Ray{{u, v, 0}, {0, 0, -1}};
  }
  // The size of a pixel at a depth.
  float pixel(float depth) const { return perspective_ ? pixel_ * depth : pixel_; }

 private:
  bool perspective_;
  float middle_x_, middle_y_, pixel_;
};

// Fills the canvas's light and, if it is allocated, its visible surfaces.
void draw_surfaces(std::span<const Drawable> surfaces, const Camera& camera, int samples,
                   Canvas& canvas);

}  // namespace sinew::draw
