// SPDX-License-Identifier: Apache-2.0
// Quaternions in glTF order (x, y, z, w). Unit quaternions are rotations of column vectors.
#pragma once

#include <algorithm>
#include <limits>
#include <numbers>

#include "sinew/core/mat3.h"
#include "sinew/core/math.h"
#include "sinew/core/vec.h"

namespace sinew {

// The identity rotation if nothing is said.
template <class T>
struct QuatT {
  T x{0}, y{0}, z{0}, w{1};

  // The part without w.
  constexpr Vec3T<T> vector() const { return {x, y, z}; }
  friend constexpr bool operator==(const QuatT&, const QuatT&) = default;
  friend constexpr QuatT operator+(const QuatT& a, const QuatT& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
  }
  friend constexpr QuatT operator-(const QuatT& a) { return {-a.x, -a.y, -a.z, -a.w}; }
  friend constexpr QuatT operator*(const QuatT& a, T s) {
    return {a.x * s, a.y * s, a.z * s, a.w * s};
  }
  // The rotation b followed by the rotation a.
  friend constexpr QuatT operator*(const QuatT& a, const QuatT& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
  }
};

// In double precision.
using Quat = QuatT<double>;

// Half a turn in radians.
inline constexpr double pi = std::numbers::pi;
// Angles from one unit to the other.
constexpr double radians(double degrees) { return degrees * (pi / 180.0); }
constexpr double degrees(double radians) { return radians * (180.0 / pi); }

// Of unit quaternions: the cosine of half the angle between the rotations, up to its sign.
template <class T>
constexpr T dot(const QuatT<T>& a, const QuatT<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// The opposite rotation of a unit quaternion.
template <class T>
constexpr QuatT<T> conjugate(const QuatT<T>& q) {
  return {-q.x, -q.y, -q.z, q.w};
}

// Returns the identity if q is zero or not finite.
template <class T>
QuatT<T> normalized(const QuatT<T>& q) {
  const T n = std::sqrt(dot(q, q));
  if (!(n > T(0)) || !std::isfinite(n)) return {};
  return q * (T(1) / n);
}

// v turned by the unit quaternion q.
template <class T>
constexpr Vec3T<T> rotate(const QuatT<T>& q, const Vec3T<T>& v) {
  const Vec3T<T> t = T(2) * cross(q.vector(), v);
  return v + q.w * t + cross(q.vector(), t);
}

// A turn by `angle` (radians, right-handed) about the unit vector `axis`; continuous in the angle
// over all real numbers (a full turn flips the sign of the quaternion).
template <class T>
QuatT<T> rotation_about(const Vec3T<T>& axis, T angle) {
  const T s = math::sin(angle / T(2));
  return {axis.x * s, axis.y * s, axis.z * s, math::cos(angle / T(2))};
}

// The smallest rotation that takes the unit vector `from` to the unit vector `to`. For opposite
// vectors, half a turn about a perpendicular axis that depends on `from` only.
template <class T>
QuatT<T> rotation_between(const Vec3T<T>& from, const Vec3T<T>& to) {
  const Vec3T<T> half = from + to;
  const T n = length(half);
  if (n < T(16) * std::numeric_limits<T>::epsilon()) {
    const Vec3T<T> axis = any_perpendicular(from);
    return {axis.x, axis.y, axis.z, T(0)};
  }
  // n / 2 is the cosine of half the angle. It is accurate even where the direction of `half` is
  // not.
  const Vec3T<T> v = cross(from, half / n);
  return normalized(QuatT<T>{v.x, v.y, v.z, n / T(2)});
}

// The rotation of a unit quaternion.
template <class T>
constexpr Mat3T<T> to_matrix(const QuatT<T>& q) {
  return {
      {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.z * q.w), 2 * (q.x * q.z - q.y * q.w)},
      {2 * (q.x * q.y - q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.x * q.w)},
      {2 * (q.x * q.z + q.y * q.w), 2 * (q.y * q.z - q.x * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)}};
}

// `m` must be a rotation (orthonormal columns, determinant 1).
template <class T>
QuatT<T> to_quaternion(const Mat3T<T>& m) {
  const T trace = m.x.x + m.y.y + m.z.z;
  QuatT<T> q;
  if (trace >= m.x.x && trace >= m.y.y && trace >= m.z.z) {
    q = {m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x, T(1) + trace};
  } else if (m.x.x >= m.y.y && m.x.x >= m.z.z) {
    q = {T(1) + m.x.x - m.y.y - m.z.z, m.x.y + m.y.x, m.x.z + m.z.x, m.y.z - m.z.y};
  } else if (m.y.y >= m.z.z) {
    q = {m.x.y + m.y.x, T(1) + m.y.y - m.x.x - m.z.z, m.y.z + m.z.y, m.z.x - m.x.z};
  } else {
    q = {m.x.z + m.z.x, m.y.z + m.z.y, T(1) + m.z.z - m.x.x - m.y.y, m.x.y - m.y.x};
  }
  return normalized(q);
}

// The shorter arc from one rotation to another, prepared for many evaluations.
template <class T>
struct QuatArc {
  QuatT<T> from, to;  // with dot(from, to) at least 0
  T angle{0};         // between the two as 4D vectors; 0 if too small to divide by its sine
};

// Between two unit quaternions; b changes its sign where that is shorter.
template <class T>
QuatArc<T> arc_between(const QuatT<T>& a, QuatT<T> b) {
  T c = dot(a, b);
  if (c < T(0)) {
    b = -b;
    c = -c;
  }
  const T close = std::max(T(1e-9), T(8) * std::numeric_limits<T>::epsilon());
  return {a, b, c > T(1) - close ? T(0) : math::acos(std::min(c, T(1)))};
}

// Slerp, t in [0, 1]; normalised linear interpolation if the angle is 0.
template <class T>
QuatT<T> point_on(const QuatArc<T>& arc, T t) {
  if (arc.angle == T(0)) return normalized(arc.from * (T(1) - t) + arc.to * t);
  return normalized(arc.from * math::sin((T(1) - t) * arc.angle) +
                    arc.to * math::sin(t * arc.angle));
}

// Spherical interpolation along the shorter arc.
template <class T>
QuatT<T> slerp(const QuatT<T>& a, const QuatT<T>& b, T t) {
  return point_on(arc_between(a, b), t);
}

// The angle in [0, pi] by which q turns.
template <class T>
T rotation_angle(const QuatT<T>& q) {
  return T(2) * math::atan2(length(q.vector()), std::fabs(q.w));
}

// The twist of q about the unit vector `axis`: the angle in (-pi, pi] of the factor about that axis
// in q = swing * twist. For a swing of half a turn the twist is undefined; returns 0.
template <class T>
T twist_angle(const QuatT<T>& q, const Vec3T<T>& axis) {
  const T s = dot(q.vector(), axis);
  if (s * s + q.w * q.w < T(1e-24)) return T(0);
  const T angle = T(2) * math::atan2(s, q.w);
  const T turn = T(2) * std::numbers::pi_v<T>;
  return angle > std::numbers::pi_v<T>     ? angle - turn
         : angle <= -std::numbers::pi_v<T> ? angle + turn
                                           : angle;
}

}  // namespace sinew
