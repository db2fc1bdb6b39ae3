// SPDX-License-Identifier: Apache-2.0
// Small things to draw.
#pragma once

#include <cmath>

#include "sinew/draw/scene.h"
#include "tests/support/shapes.h"

namespace sinew {

// A scene without light or shade: colours come out as they are.
inline Scene plain_scene(std::vector<Drawable> surfaces, int samples = 8) {
  for (Drawable& surface : surfaces) surface.lit = false;
  Scene scene;
  scene.surfaces = std::move(surfaces);
  scene.background = {0, 0, 0};
  scene.samples = samples;
  return scene;
}

// From the front, one unit of the plane z = 0 is one pixel, (0, 0) the picture's lower left corner.
inline Camera pixel_camera(int width, int height) {
  Camera camera;
  camera.eye = {0.5 * width, 0.5 * height, 10};
  camera.perspective = false;
  camera.half_height = 0.5 * height;
  return camera;
}

// The rectangle from `low` to `high` in the plane of low.z.
inline Drawable rectangle(const Vec3& low, const Vec3& high, const Rgb& color) {
  Drawable surface;
  surface.positions = {
      low, {high.x, low.y, low.z}, {high.x, high.y, low.z}, {low.x, high.y, low.z}};
  surface.triangles = {{0, 1, 2}, {0, 2, 3}};
  surface.color = color;
  return surface;
}

inline Drawable ball(const Vec3& center, double radius, Index rings = 24) {
  const Surface sphere = unit_sphere(rings, 2 * rings);
  Drawable drawable;
  drawable.triangles = sphere.triangles;
  for (const Vec3& p : sphere.positions) drawable.positions.push_back(center + p * radius);
  return drawable;
}

// How many of the pixels that are not the background's black, parts of pixels counted as such.
inline double covered(const Image& image) {
  double sum = 0;
  for (const Pixel& pixel : image.pixels()) sum += to_linear(pixel.r);
  return sum;
}

}  // namespace sinew
