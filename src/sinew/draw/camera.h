// SPDX-License-Identifier: Apache-2.0
// Cameras, and the projection of points to pixels.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sinew/core/mat3.h"
#include "sinew/mesh/mesh.h"

namespace sinew {

// The direction from which a model is seen, in degrees. Azimuth 0 is the front (seen from +z), 90
// the model's left (from +x), 180 its back; elevation 90 is from above.
struct View {
  double azimuth = 0, elevation = 0;
  friend bool operator==(const View&, const View&) = default;
};

// "front", "back", "left" (or "side"), "right", "top", "bottom", "three-quarter", or
// "azimuth,elevation" in degrees. Throws UsageError listing the names.
View view_from_name(std::string_view name);

// How much a camera sees, and how near.
struct Lens {
  double field_of_view = 25;  // degrees from top to bottom, below 170; 0: orthographic
  double margin = 0.06;       // free border on each side, as a fraction of the picture; below 0.5
};

// Several pictures or frames may share one camera.
struct Camera {
  Vec3 eye;
  Mat3 axes;  // columns in world space: right, up, and backwards (towards the viewer)
  bool perspective = true;
  double half_height = 1;  // of the visible area: at distance 1 in perspective, else anywhere
  double near = 0;         // anything closer is not drawn; above 0 in perspective
};

// Frames all of `points`, centred and as large as possible, in a picture that is `aspect` times as
// wide as high. If all points coincide, they are seen from a distance of 1. Throws UsageError for
// an aspect that is not above 0 and a lens out of range; points must be finite for a picture to
// show anything (see render).
Camera frame(const View& view, std::span<const Vec3> points, double aspect, const Lens& lens = {});
Camera frame(const View& view, const Box& box, double aspect, const Lens& lens = {});

// View space: right, up and towards the viewer, relative to the eye.
Vec3 to_view(const Camera& camera, const Vec3& point);

// Pixels from the upper left corner, and the distance along the viewing direction. In perspective,
// x and y are meaningless if that distance is not above 0.
struct Projected {
  double x = 0, y = 0, depth = 0;
};
Projected project(const Camera& camera, const Vec3& point, int width, int height);

// The eight corners of a box.
std::vector<Vec3> corners(const Box& box);

// The smallest box that contains both.
Box joined(const Box& a, const Box& b);

}  // namespace sinew
