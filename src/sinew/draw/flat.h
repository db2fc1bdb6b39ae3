// SPDX-License-Identifier: Apache-2.0
// Draws a picture on a flat mesh, as in cut-out animation: the picture moves with the mesh.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/image/image.h"
#include "sinew/mesh/mesh.h"

namespace sinew {

// A picture with mipmaps, transparent beyond its border. Colours are weighted by alpha, so that the
// colour of transparent pixels never shows; they are mixed in sRGB, as stored, like in picture
// editors.
class FlatTexture {
 public:
  // Throws UsageError for a picture without pixels.
  explicit FlatTexture(Image picture);

  // At its full size.
  const Image& picture() const { return levels_.front(); }
  // Each half as large as the one before, down to a single pixel.
  std::span<const Image> levels() const { return levels_; }

 private:
  std::vector<Image> levels_;
};

// The part of the plane that is drawn: y upwards in the plane, rows downwards in the picture.
struct FlatView {
  Vec2 corner;  // the point of the plane at the picture's upper left corner
  double pixels_per_unit = 1;
  int width = 0, height = 0;  // in pixels
};

// The position of a point of the plane in the picture, in pixels from its upper left corner.
inline Vec2 to_pixels(const FlatView& view, const Vec3& p) {
  return {(p.x - view.corner.x) * view.pixels_per_unit,
          (view.corner.y - p.y) * view.pixels_per_unit};
}

// Draws the triangles in order, later ones over earlier ones; z is ignored. `places[v]` is the
// position of vertex v in the texture, in pixels from its upper left corner. Each pixel shows the
// triangle that contains its centre, on a shared edge exactly one of the two, so there are no
// seams. There is no other anti-aliasing: the texture should fade to transparent before the mesh
// ends. Triangles without area or with non-finite positions are left out. Throws UsageError if
// sizes differ, for a triangle index out of range, and for a view without pixels.
Image draw_flat(const FlatTexture& texture, std::span<const Vec2> places,
                std::span<const Vec3> positions, std::span<const Triangle> triangles,
                const FlatView& view, Pixel background = {0, 0, 0, 0});

}  // namespace sinew
