// SPDX-License-Identifier: Apache-2.0
// All surfaces in view space, concatenated.
#pragma once

#include <span>
#include <vector>

#include "sinew/draw/detail/raster.h"
#include "sinew/draw/scene.h"

namespace sinew::draw {

struct Geometry {
  // Surfaces must be valid.
  Geometry(std::span<const Drawable> surfaces, const Camera& camera, int width, int height);

  std::vector<Vec3f> positions, normals;  // in view space
  std::vector<Vec3f> places;  // x and y in pixels; z is 1 in front of the camera, else 0
  std::vector<Rgb> colors;
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> surface_of_triangle;
  std::vector<Index> first_vertex, first_triangle;  // of each surface

  // The triangles in the picture; their ids are indices in `triangles`. Clipped at the near plane
  // and far outside the picture.
  std::vector<ScreenTriangle> screen_triangles() const;

 private:
  void append(const Drawable& surface);

  Camera camera_;
  int width_, height_;
};

// Throws InputError naming what is invalid in the surface.
void validate(const Drawable& surface);

}  // namespace sinew::draw
