// SPDX-License-Identifier: Apache-2.0
// Affine maps p -> linear * p + translation, and the translation, rotation and scale of a joint.
#pragma once

#include "sinew/core/mat3.h"
#include "sinew/core/quat.h"
#include "sinew/core/vec.h"

namespace sinew {

// The map p -> linear * p + translation.
template <class T>
struct AffineT {
  Mat3T<T> linear;
  Vec3T<T> translation;

  friend constexpr bool operator==(const AffineT&, const AffineT&) = default;
  // The map b followed by the map a.
  friend constexpr AffineT operator*(const AffineT& a, const AffineT& b) {
    return {a.linear * b.linear, a.linear * b.translation + a.translation};
  }
};

// In double precision.
using Affine = AffineT<double>;

// The image of the point p.
template <class T>
constexpr Vec3T<T> transform_point(const AffineT<T>& m, const Vec3T<T>& p) {
  return m.linear * p + m.translation;
}

// Infinite or NaN where m.linear is singular.
template <class T>
constexpr AffineT<T> inverse(const AffineT<T>& m) {
  const Mat3T<T> linear = inverse(m.linear);
  return {linear, -(linear * m.translation)};
}

// Where a joint sits in its parent's frame: scale first, then rotation, then translation.
struct Transform {
  Vec3 translation;
  Quat rotation;
  Vec3 scale{1, 1, 1};

  friend constexpr bool operator==(const Transform&, const Transform&) = default;
};

// The same as one map.
constexpr Affine to_affine(const Transform& t) {
  const Mat3 r = to_matrix(t.rotation);
  return {{r.x * t.scale.x, r.y * t.scale.y, r.z * t.scale.z}, t.translation};
}

// Splits `m` into translation, rotation and scale. A mirroring map gets a negative x scale. Axes of
// length 0 get scale 0, and the rotation is completed from the others. `shear`, if given, receives
// the largest cosine between two columns; 0 means that the split is exact.
Transform to_transform(const Affine& m, double* shear = nullptr);

}  // namespace sinew
