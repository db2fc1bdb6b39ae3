// SPDX-License-Identifier: Apache-2.0
// Surfaces in the camera's space, all in one list.
#pragma once

#include <span>
#include <vector>

#include "sinew/draw/detail/raster.h"
#include "sinew/draw/scene.h"

namespace sinew::draw {

struct Geometry {
  // Surfaces must be valid.
  Geometry(std::span<const Drawable> surfaces, const Camera& camera, int width, int height);

  std::vector<Vec3f> positions, normals;  // right, up, towards the viewer; from the eye
  std::vector<Vec3f> places;  // x and y in pixels; z is 1 in front of the camera, else 0
  std::vector<Rgb> colors;
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> surface_of_triangle;
  std::vector<Index> first_vertex, first_triangle;  // of each surface

  // The triangles on the picture, their ids places in `triangles`. What is nearer than the camera
  // draws is cut off, and what is far outside of the picture.
  std::vector<ScreenTriangle> screen_triangles() const;

 private:
  void append(const Drawable& surface);

  Camera camera_;
  int width_, height_;
};

// Throws InputError naming what breaks a rule of the surface.
void validate(const Drawable& surface);

}  // namespace sinew::draw
