// SPDX-License-Identifier: Apache-2.0
// The shadow that surfaces cast on a floor: sharp where they touch it, softer the higher they are.
#pragma once

#include <span>
#include <vector>

#include "sinew/draw/detail/canvas.h"
#include "sinew/draw/scene.h"

namespace sinew::draw {

class GroundShadow {
 public:
  // `to_light` points to the light in world space, y above 0.
  GroundShadow(std::span<const Drawable> surfaces, double height, const Vec3& to_light);

  // How dark the floor is at a place, in [0, 1].
  float at(double x, double z) const;

 private:
  int columns_ = 0, rows_ = 0;
  double left_ = 0, front_ = 0, cell_ = 1;
  std::vector<float> shade_;
};

// Draws the shadow behind what is on the canvas.
void draw_ground(Canvas& canvas, std::span<const Drawable> surfaces, const Camera& camera,
                 double height);

}  // namespace sinew::draw
