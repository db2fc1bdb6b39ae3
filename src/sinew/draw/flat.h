// SPDX-License-Identifier: Apache-2.0
// A picture on a flat mesh, as in cut-out animation: the mesh moves, and the picture with it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/image/image.h"
#include "sinew/mesh/mesh.h"

namespace sinew {

// A picture and smaller and smaller versions of it, for where it is drawn smaller. Beyond its
// border it is transparent. Colours are weighed by their alpha, so that what is behind transparent
// pixels is never seen; they are mixed as they are stored, like in picture editors.
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
  Vec2 corner;  // what lies at the upper left corner of the picture
  double pixels_per_unit = 1;
  int width = 0, height = 0;  // in pixels
};

// Where a point of the plane is in the picture, in pixels from its upper left corner.
inline Vec2 to_pixels(const FlatView& view, const Vec3& p) {
  return {(p.x - view.corner.x) * view.pixels_per_unit,
          (view.corner.y - p.y) * view.pixels_per_unit};
}

// The triangles in their order, later ones over earlier ones; z does not count. `places[v]` is
// where vertex v is in the texture, in pixels from its upper left corner. Each pixel shows the
// triangle its centre lies in, on edges exactly one of the two, so that neighbours leave no seam;
// smooth edges are those of the texture, which therefore should be transparent where the mesh ends.
// Triangles without area or with places that are not finite are left out. Throws UsageError where
// sizes differ, for a corner of a triangle that is no vertex, and for a view without pixels.
Image draw_flat(const FlatTexture& texture, std::span<const Vec2> places,
                std::span<const Vec3> positions, std::span<const Triangle> triangles,
                const FlatView& view, Pixel background = {0, 0, 0, 0});

}  // namespace sinew
