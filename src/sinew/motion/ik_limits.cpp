// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/ik_limits.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

// With w at least 0, so that the angle is at most half a turn.
Quat short_way(const Quat& q) { return q.w < 0 ? -q : q; }

Quat from_vector(const Vec3& v) {
  const double angle = length(v);
  return angle > 0 ? rotation_about(v / angle, angle) : Quat{};
}

Vec3 to_vector(const Quat& turn) {
  const Quat q = short_way(turn);
  const double n = length(q.vector());
  return n > 0 ? q.vector() * (2 * std::atan2(n, q.w) / n) : Vec3{};
}

Quat clamp_to(const ConeLimit& limit, const Quat& turn) {
  const double twist = twist_angle(turn, limit.axis);
  const Quat swing = turn * rotation_about(limit.axis, -twist);
  const double angle = rotation_angle(swing);
  const double kept_twist = std::clamp(twist, limit.twist_min, limit.twist_max);
  if (angle <= limit.swing && kept_twist == twist) return turn;
  const Quat kept_swing =
      angle <= limit.swing ? swing : from_vector(to_vector(swing) * (limit.swing / angle));
  return normalized(kept_swing * rotation_about(limit.axis, kept_twist));
}

Quat clamp_to(const HingeLimit& limit, const Quat& turn) {
  const double angle = twist_angle(turn, limit.axis);
  const Quat kept = rotation_about(limit.axis, std::clamp(angle, limit.min, limit.max));
  // A turn about the axis by an allowed angle keeps its bits.
  const double off = std::min(length((kept + -turn).vector()), length((kept + turn).vector()));
  return off < 1e-14 ? turn : kept;
}

Quat clamp_to(const AxesLimit& limit, const Quat& turn) {
  const Vec3 v = to_vector(turn);
  const Vec3 kept = component_min(component_max(v, limit.min), limit.max);
  return kept == v ? turn : from_vector(kept);
}

void require_axis(const Vec3& axis) {
  if (std::fabs(length_squared(axis) - 1) <= 1e-6) return;
  throw UsageError("the axis of a limit is a vector of unit length");
}

void require_range(double min, double max) {
  if (min >= -pi && min <= 0 && max >= 0 && max <= pi) return;
  throw UsageError(formatted(
      "a limit goes from {} to {} degrees; it goes from -180 to 180 at most, and 0 is in it",
      significant(degrees(min), 4), significant(degrees(max), 4)));
}

void require_valid_range(const ConeLimit& limit) {
  require_axis(limit.axis);
  require_range(0, limit.swing);
  require_range(limit.twist_min, limit.twist_max);
}

void require_valid_range(const HingeLimit& limit) {
  require_axis(limit.axis);
  require_range(limit.min, limit.max);
}

void require_valid_range(const AxesLimit& limit) {
  for (int i = 0; i < 3; ++i) require_range(limit.min[i], limit.max[i]);
}

}  // namespace

void require_valid(const JointRange& range) {
  std::visit([](const auto& limit) { require_valid_range(limit); }, range);
}

Quat clamped(const Quat& turn, const JointRange& range) {
  return std::visit([&](const auto& limit) { return clamp_to(limit, turn); }, range);
}

}  // namespace sinew
