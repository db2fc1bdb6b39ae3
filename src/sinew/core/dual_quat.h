// SPDX-License-Identifier: Apache-2.0
// Unit dual quaternions: rigid motions that can be blended (Kavan et al. 2008).
#pragma once

#include "sinew/core/affine.h"
#include "sinew/core/quat.h"

namespace sinew {

// A rigid motion where `real` has unit length and `dual` is orthogonal to it.
template <class T>
struct DualQuatT {
  QuatT<T> real;              // the rotation
  QuatT<T> dual{0, 0, 0, 0};  // half the translation times the rotation

  friend constexpr bool operator==(const DualQuatT&, const DualQuatT&) = default;
  friend constexpr DualQuatT operator+(const DualQuatT& a, const DualQuatT& b) {
    return {a.real + b.real, a.dual + b.dual};
  }
  friend constexpr DualQuatT operator*(const DualQuatT& a, T s) { return {a.real * s, a.dual * s}; }
  // The motion b followed by the motion a.
  friend constexpr DualQuatT operator*(const DualQuatT& a, const DualQuatT& b) {
    return {a.real * b.real, a.real * b.dual + a.dual * b.real};
  }
};

// In double precision.
using DualQuat = DualQuatT<double>;

// First the rotation, which has unit length, then the translation.
template <class T>
constexpr DualQuatT<T> rigid_motion(const QuatT<T>& rotation, const Vec3T<T>& translation) {
  const QuatT<T> t{translation.x, translation.y, translation.z, T(0)};
  return {rotation, (t * rotation) * T(0.5)};
}

// Two rotations that are half a turn apart (dot product 0) can be blended either way round. Dot
// products above this margin count as positive, so that rounding does not decide such ties
// differently from vertex to vertex.
inline constexpr double half_turn_margin = -1e-6;

// Whether q must be negated so that blending with `pivot` takes the shorter way.
template <class T>
constexpr bool is_opposite(const QuatT<T>& q, const QuatT<T>& pivot) {
  return dot(q, pivot) < T(half_turn_margin);
}

// Divides by the real part's length. If the real part vanishes (a blend of exactly opposite
// rotations), returns the identity.
template <class T>
DualQuatT<T> normalized(const DualQuatT<T>& q) {
  const T n = std::sqrt(dot(q.real, q.real));
  if (!(n > T(0)) || !std::isfinite(n)) return {};
  const DualQuatT<T> scaled = q * (T(1) / n);
  // Remove the part of the dual that is not orthogonal to the real part: the result is then a rigid
  // motion, up to rounding.
  const T along = dot(scaled.real, scaled.dual);
  return {scaled.real, scaled.dual + scaled.real * (-along)};
}

// The translation of a unit dual quaternion.
template <class T>
constexpr Vec3T<T> translation_of(const DualQuatT<T>& q) {
  return T(2) * (q.dual * conjugate(q.real)).vector();
}

// The image of the point p. q has unit length.
template <class T>
constexpr Vec3T<T> transform_point(const DualQuatT<T>& q, const Vec3T<T>& p) {
  return rotate(q.real, p) + translation_of(q);
}

}  // namespace sinew
