// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/detail/ik_clamp.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/math.h"
#include "sinew/core/overload.h"

namespace sinew::motion {
namespace {

HalfAngle half_of(double angle) {
  if (std::fabs(angle) >= pi) return {angle < 0 ? -1.0 : 1.0, 0};
  return {math::sin(angle / 2), math::cos(angle / 2)};
}

// By more than rounding. Both halves lie in [-pi/2, pi/2], where the sine of the difference has its
// sign.
bool is_above(const HalfAngle& a, const HalfAngle& b) {
  return a.sine * b.cosine - a.cosine * b.sine > 1e-15;
}

// The part of a rotation about an axis, with a cosine of at least 0: as twist_angle() has it, none
// for a swing of half a turn.
HalfAngle twist_of(const Quat& turn, const Vec3& axis) {
  const double sine = dot(turn.vector(), axis);
  const double size = std::sqrt(sine * sine + turn.w * turn.w);
  if (size < 1e-12) return {};
  const double scale = (turn.w < 0 ? -1 : 1) / size;
  return {sine * scale, turn.w * scale};
}

Quat about(const Vec3& axis, const HalfAngle& half) {
  return {axis.x * half.sine, axis.y * half.sine, axis.z * half.sine, half.cosine};
}

// The nearest end of the range, or null within it.
const HalfAngle* end_of_range(const TwistClamp& clamp, const HalfAngle& twist) {
  if (is_above(twist, clamp.max)) return &clamp.max;
  return is_above(clamp.min, twist) ? &clamp.min : nullptr;
}

// Whether the limit holds as it is, by more than rounding: the rule, and cheap. Of a swing by a and
// a twist by t, the quaternion has sin(a/2) across the axis, cos(a/2) sin(t/2) along it and
// cos(a/2) cos(t/2) as w.
bool is_inside(const ConeClamp& clamp, const Quat& turn) {
  const double along = dot(turn.vector(), clamp.twist.axis);
  const HalfAngle twist{turn.w < 0 ? -along : along, std::fabs(turn.w)};
  const double across = length_squared(turn.vector() - clamp.twist.axis * along);
  const double cosine = along * along + turn.w * turn.w;
  const HalfAngle& swing = clamp.swing;
  return across * swing.cosine * swing.cosine <= cosine * swing.sine * swing.sine &&
         !is_above(twist, clamp.twist.max) && !is_above(clamp.twist.min, twist);
}

Quat clamp_to(const ConeClamp& clamp, const Quat& turn) {
  if (is_inside(clamp, turn)) return turn;
  const HalfAngle twist = twist_of(turn, clamp.twist.axis);
  const HalfAngle* end = end_of_range(clamp.twist, twist);
  const Quat swing = turn * conjugate(about(clamp.twist.axis, twist));
  const double sine = length(swing.vector());
  const bool is_too_far = is_above({sine, std::fabs(swing.w)}, clamp.swing);
  if (!is_too_far && !end) return turn;
  Quat kept = swing;
  if (is_too_far) {
    const double side = swing.w < 0 ? -1 : 1;
    kept = about(swing.vector() * (side / sine), clamp.swing);
  }
  return normalized(kept * about(clamp.twist.axis, end ? *end : twist));
}

Quat clamp_to(const HingeClamp& clamp, const Quat& turn) {
  const Vec3& axis = clamp.twist.axis;
  const HalfAngle twist = twist_of(turn, axis);
  const HalfAngle* end = end_of_range(clamp.twist, twist);
  // A turn about the axis by an allowed angle keeps its bits.
  const Vec3 off = turn.vector() - axis * dot(turn.vector(), axis);
  if (!end && length_squared(off) < 1e-28) return turn;
  return about(axis, end ? *end : twist);
}

Quat clamp_to(const AxesLimit& limit, const Quat& turn) {
  const Quat q = turn.w < 0 ? -turn : turn;
  const Vec3 v = q.vector();
  const auto nearest = [&](const Vec3& at) {
    return component_min(component_max(at, limit.min), limit.max);
  };
  // An angle is at most pi times the sine of its half.
  if (nearest(v * pi) == v * pi) return turn;
  const double sine = length(v);
  const Vec3 angles = v * (2 * math::atan2(sine, q.w) / sine);
  const Vec3 kept = nearest(angles);
  if (kept == angles) return turn;
  const double angle = length(kept);
  return angle > 0 ? rotation_about(kept / angle, angle) : Quat{};
}

}  // namespace

JointClamp clamp_of(const JointRange& range) {
  return std::visit(
      Overload{[](const ConeLimit& limit) -> JointClamp {
                 return ConeClamp{{limit.axis, half_of(limit.twist_min), half_of(limit.twist_max)},
                                  half_of(limit.swing)};
               },
               [](const HingeLimit& limit) -> JointClamp {
                 return HingeClamp{{limit.axis, half_of(limit.min), half_of(limit.max)}};
               },
               [](const AxesLimit& limit) -> JointClamp { return limit; }},
      range);
}

Quat clamped(const Quat& turn, const JointClamp& clamp) {
  return std::visit([&](const auto& kind) { return clamp_to(kind, turn); }, clamp);
}

}  // namespace sinew::motion
