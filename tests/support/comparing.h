// SPDX-License-Identifier: Apache-2.0
// Comparing deformed shapes.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "sinew/deform/bone_state.h"

namespace sinew {

// The largest distance between points with the same index; infinite if the counts differ, if there
// are no points, or if a point is not finite.
template <class A, class B>
double largest_difference(const std::vector<Vec3T<A>>& a, const std::vector<Vec3T<B>>& b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (a.size() != b.size() || a.empty()) return infinity;
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double apart = distance(Vec3{a[i].x, a[i].y, a[i].z}, Vec3{b[i].x, b[i].y, b[i].z});
    if (!(apart < infinity)) return infinity;
    worst = std::max(worst, apart);
  }
  return worst;
}

// The largest difference between deforming a pose and then moving the result rigidly, and moving
// the pose rigidly and then deforming. `deform` takes bone states and returns positions.
template <class Deform>
double rigid_motion_error(const Skeleton& skeleton, const std::vector<BonePose>& poses,
                          const Deform& deform) {
  const Quat turn = rotation_about(normalized(Vec3{-1, 2, 0.3}), 2.4);
  const Affine motion{to_matrix(turn), {1, 2, -3}};
  const auto before = bone_states(skeleton, poses);
  auto moved = poses;
  for (std::size_t b = 0; b < poses.size(); ++b) {
    moved[b].start = transform_point(motion, poses[b].start);
    moved[b].end = transform_point(motion, poses[b].end);
    moved[b].rotation = turn * before[b].rotation;
  }
  auto expected = deform(before);
  for (Vec3& p : expected) p = transform_point(motion, p);
  return largest_difference(deform(bone_states(skeleton, moved)), expected);
}

}  // namespace sinew
