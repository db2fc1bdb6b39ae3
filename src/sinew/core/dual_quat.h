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

// Half a turn apart (a dot product of 0), two rotations can be blended either way round. Products
// above this count as one side, so that such a tie is not decided by rounding, vertex by vertex.
inline constexpr double half_turn_margin = -1e-6;

// Whether q must change its sign to go the shorter way to `pivot`.
template <class T>
constexpr bool is_opposite(const QuatT<T>& q, const QuatT<T>& pivot) {
  return dot(q, pivot) < T(half_turn_margin);
}

// Divides by the real part's length. A blend whose real part vanishes (exactly opposite rotations)
// has no rotation: the identity motion comes back.
template <class T>
DualQuatT<T> normalized(const DualQuatT<T>& q) {
  const T n = std::sqrt(dot(q.real, q.real));
  if (!(n > T(0)) || !std::isfinite(n)) return {};
  const DualQuatT<T> scaled = q * (T(1) / n);
  // Take out what is not orthogonal, so that the result is a rigid motion to rounding.
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
