// SPDX-License-Identifier: Apache-2.0
// Detects shapes that lie in some plane: sheets, pictures, cards with a front and a back.
#pragma once

#include <optional>
#include <vector>

#include "sinew/core/mat3.h"
#include "sinew/mesh/mesh.h"

namespace sinew {

// A shape thinner than this fraction of its width is flat.
inline constexpr double flat_share = 0.01;

// The plane of a flat shape, and coordinates in it.
struct FlatFrame {
  Vec3 origin;           // a point of the plane, half way between the shape's two faces
  Mat3 axes;             // x and y in the plane, z its normal: orthonormal, right-handed
  double width = 0;      // of the shape in the plane, perpendicular to its longest direction
  double thickness = 0;  // of the shape, along the normal

  // Coordinates in the plane, with the height above it in z. A rigid motion: lengths are preserved.
  Vec3 to_plane(const Vec3& p) const {
    const Vec3 d = p - origin;
    return {dot(axes.x, d), dot(axes.y, d), dot(axes.z, d)};
  }
  // The same projected to z = 0.
  Vec3 flattened(const Vec3& p) const {
    const Vec3 d = p - origin;
    return {dot(axes.x, d), dot(axes.y, d), 0};
  }
  Vec3 from_plane(const Vec3& q) const { return origin + axes * q; }
};

// The frame of a flat shape, one that is thinner in some direction than `flat_share` times its
// width. A sheet with a little noise is flat, so is a card with a front, a back and a rim; a thin
// rod is not. In a plane of constant x, y or z the frame's axes are the coordinate axes; for
// constant z, to_plane() keeps x and y to the last bit. Only vertices used by triangles count.
// Returns nothing if the shape is not flat, if no triangle has an area, or if all of them lie along
// a line. Throws InputError for an index out of range or a coordinate that is not finite.
std::optional<FlatFrame> find_flat(const std::vector<Vec3>& positions,
                                   const std::vector<Triangle>& triangles);

}  // namespace sinew
