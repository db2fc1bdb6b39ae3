// SPDX-License-Identifier: Apache-2.0
// The rigid motion that takes one set of points to another as well as any does.
#pragma once

#include <span>

#include "sinew/core/quat.h"

namespace sinew {

// What a fit is asked of: at least so many vertices, farther apart than this share of the length of
// their bone.
inline constexpr std::size_t fewest_to_fit = 3;
inline constexpr double least_size_to_fit = 1e-9;

// The rotation about `from`, followed by the translation from there to `to`.
struct RigidMotion {
  Quat rotation;
  Vec3 from, to;  // `from` goes to `to`

  // The image of the point p.
  Vec3 operator()(const Vec3& p) const { return rotate(rotation, p - from) + to; }
};

// The rotation and translation with the smallest sum of squared distances between the images of
// `from` and the points of `to` in the same places (Horn 1987, by quaternions: never a reflection).
// Points on a line or in one place leave part of the rotation open; it is then one of the best. No
// points: the identity. Throws UsageError if the numbers of points differ.
RigidMotion fit_rigid(std::span<const Vec3> from, std::span<const Vec3> to);

}  // namespace sinew
