// SPDX-License-Identifier: Apache-2.0
// Shapes that lie in a plane, whichever it is: sheets, pictures, cards with a front and a back.
#pragma once

#include <optional>
#include <vector>

#include "sinew/core/mat3.h"
#include "sinew/mesh/mesh.h"

namespace sinew {

// What is thinner than this share of its width is flat.
inline constexpr double flat_share = 0.01;

// The plane of a flat shape, and coordinates in it.
struct FlatFrame {
  Vec3 origin;           // a point of the plane, half way between the shape's two faces
  Mat3 axes;             // x and y in the plane, z its normal: orthonormal, right-handed
  double width = 0;      // of the shape in the plane, across its longest direction
  double thickness = 0;  // of the shape, along the normal

  // Coordinates in the plane, and the height over it in z. A rigid motion: lengths stay.
  Vec3 to_plane(const Vec3& p) const {
    const Vec3 d = p - origin;
    return {dot(axes.x, d), dot(axes.y, d), dot(axes.z, d)};
  }
  // The same without the height: the shape as it is drawn in the plane z = 0.
  Vec3 flattened(const Vec3& p) const {
    const Vec3 d = p - origin;
    return {dot(axes.x, d), dot(axes.y, d), 0};
  }
  Vec3 from_plane(const Vec3& q) const { return origin + axes * q; }
};

// The frame of a shape that is flat: in some direction, whatever it is, it is thinner than
// `flat_share` of its width. So a sheet with a little noise is flat, a card with a front, a back
// and a rim is, and a thin rod is not. In a plane of constant x, y or z the frame's axes are the
// coordinates' own; for constant z then, to_plane() keeps x and y to the last bit. Only vertices
// that triangles use count. Nothing where the shape is not flat, where no triangle has an area, or
// where all lie along a line. Throws InputError for an index out of range or a coordinate that is
// not finite.
std::optional<FlatFrame> find_flat(const std::vector<Vec3>& positions,
                                   const std::vector<Triangle>& triangles);

}  // namespace sinew
