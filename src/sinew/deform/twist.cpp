// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/twist.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The cosines of half of 150 and of half of 90 degrees.
constexpr double no_twist_below = 0.25881904510252076, all_twist_above = 0.70710678118654752;

// The equal of `angle` up to full turns that is nearest to `to`.
double nearest_turn(double angle, double to) {
  return angle + 2 * pi * std::round((to - angle) / (2 * pi));
}

}  // namespace

double twist_fade(double closeness) {
  const double t =
      std::clamp((closeness - no_twist_below) / (all_twist_above - no_twist_below), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

double TwistTracker::follow(std::size_t slot, const Quat& turn, const Vec3& axis) {
  if (slot >= angles_.size()) angles_.resize(slot + 1);
  std::optional<double>& angle = angles_[slot];
  const double closeness = std::hypot(turn.w, dot(turn.vector(), axis));
  if (closeness > no_twist_below) {
    const double principal = twist_angle(turn, axis);
    angle = nearest_turn(principal, angle.value_or(principal));
  }
  return twist_fade(closeness) * angle.value_or(0);
}

}  // namespace sinew
