// SPDX-License-Identifier: Apache-2.0
// The best-fitting rigid motion between two sets of points.
#pragma once

#include <span>

#include "sinew/core/quat.h"

namespace sinew {

// The measures fit a rigid motion only to at least this many vertices, spread over more than this
// fraction of their bone's length.
inline constexpr std::size_t fewest_to_fit = 3;
inline constexpr double least_size_to_fit = 1e-9;

// The rotation about `from`, followed by the translation from there to `to`.
struct RigidMotion {
  Quat rotation;
  Vec3 from, to;  // `from` goes to `to`

  // The image of the point p.
  Vec3 operator()(const Vec3& p) const { return rotate(rotation, p - from) + to; }
};

// The rotation and translation that minimise the sum of squared distances between the images of
// `from` and the corresponding points of `to` (Horn 1987, with quaternions, so never a reflection).
// For collinear or coincident points the rotation is not unique; any optimal one is returned. The
// identity if there are no points. Throws UsageError if the numbers of points differ.
RigidMotion fit_rigid(std::span<const Vec3> from, std::span<const Vec3> to);

}  // namespace sinew
