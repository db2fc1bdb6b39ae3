// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/twist.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/math.h"

namespace sinew {
namespace {

// The cosines of half of 150 and of half of 90 degrees.
constexpr double no_twist_below = 0.25881904510252076, all_twist_above = 0.70710678118654752;

}  // namespace

double twist_fade(double closeness) {
  const double t =
      std::clamp((closeness - no_twist_below) / (all_twist_above - no_twist_below), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

double nearest_turn(double angle, double to) {
  return std::isnan(to) ? angle : angle + 2 * pi * std::nearbyint((to - angle) / (2 * pi));
}

double follow_twist(double& angle, const Quat& turn, const Vec3& axis) {
  const double along = dot(turn.vector(), axis);
  // Fast path: most joints swing by less than 90 degrees, where the fade is 1.
  if (turn.w * turn.w + along * along > 0.5001) {
    angle = nearest_turn(twist_angle(turn, axis), angle);
    return angle;
  }
  const double closeness = math::hypot(turn.w, along);
  if (!(closeness > no_twist_below)) return 0;
  angle = nearest_turn(twist_angle(turn, axis), angle);
  return twist_fade(closeness) * angle;
}

}  // namespace sinew
