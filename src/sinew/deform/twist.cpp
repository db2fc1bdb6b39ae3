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

// A turn without its swing: the cosine and sine of half its twist, shortened by the swing.
Vec2 twist_part(const Quat& turn, const Vec3& axis) {
  return {turn.w, sinew::dot(turn.vector(), axis)};
}

double length(const Vec2& v) { return std::hypot(v.x, v.y); }
double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }

// How near the way from a to b comes to the origin.
double least_length(const Vec2& a, const Vec2& b) {
  const Vec2 way = b - a;
  const double square = dot(way, way);
  const double t = square > 0 ? std::clamp(-dot(a, way) / square, 0.0, 1.0) : 0.0;
  return length(a + way * t);
}

}  // namespace

double twist_fade(double closeness) {
  const double t =
      std::clamp((closeness - no_twist_below) / (all_twist_above - no_twist_below), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

double TwistTracker::follow(std::size_t slot, const Quat& turn, const Vec3& axis) {
  if (slot >= slots_.size()) slots_.resize(slot + 1);
  std::optional<Slot>& last = slots_[slot];
  const double closeness = length(twist_part(turn, axis));
  const double principal = twist_angle(turn, axis);
  Slot now{principal, turn, closeness <= no_twist_below};
  if (last) {
    if (sinew::dot(turn, last->turn) < 0) now.turn = -turn;
    const bool may_have_turned =
        last->is_lost || now.is_lost ||
        least_length(twist_part(last->turn, axis), twist_part(now.turn, axis)) <= no_twist_below;
    now.angle = nearest_turn(principal, last->angle);
    if (now.is_lost) {
      now.angle = last->angle;
    } else if (may_have_turned) {
      // How often is unknown: of the angles less than a turn away, the least.
      for (const double other : {now.angle - 2 * pi, now.angle + 2 * pi}) {
        const bool is_near = std::fabs(other - last->angle) < 2 * pi;
        if (is_near && std::fabs(other) < std::fabs(now.angle)) now.angle = other;
      }
    }
  } else if (now.is_lost) {
    now.angle = 0;
  }
  last = now;
  return twist_fade(closeness) * now.angle;
}

}  // namespace sinew
