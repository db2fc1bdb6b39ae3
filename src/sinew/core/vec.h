// SPDX-License-Identifier: Apache-2.0
// Small fixed-size column vectors. Double precision outside the kernels, float inside them.
#pragma once

#include <cmath>
#include <cstddef>

namespace sinew {

// Zero if nothing is said.
template <class T>
struct Vec2T {
  T x{}, y{};

  friend constexpr bool operator==(const Vec2T&, const Vec2T&) = default;
  friend constexpr Vec2T operator+(Vec2T a, Vec2T b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Vec2T operator-(Vec2T a, Vec2T b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Vec2T operator*(Vec2T a, T s) { return {a.x * s, a.y * s}; }
  friend constexpr Vec2T operator*(T s, Vec2T a) { return a * s; }
};

// Zero if nothing is said; a point or a direction.
template <class T>
struct Vec3T {
  T x{}, y{}, z{};

  constexpr T& operator[](std::size_t i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr const T& operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : z; }
  constexpr Vec3T& operator+=(const Vec3T& b) { return *this = *this + b; }
  constexpr Vec3T& operator-=(const Vec3T& b) { return *this = *this - b; }
  constexpr Vec3T& operator*=(T s) { return *this = *this * s; }

  friend constexpr bool operator==(const Vec3T&, const Vec3T&) = default;
  friend constexpr Vec3T operator+(const Vec3T& a, const Vec3T& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend constexpr Vec3T operator-(const Vec3T& a, const Vec3T& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend constexpr Vec3T operator-(const Vec3T& a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3T operator*(const Vec3T& a, T s) { return {a.x * s, a.y * s, a.z * s}; }
  friend constexpr Vec3T operator*(T s, const Vec3T& a) { return a * s; }
  friend constexpr Vec3T operator/(const Vec3T& a, T s) { return {a.x / s, a.y / s, a.z / s}; }
};

// Zero if nothing is said; a tangent with its handedness, or a colour.
template <class T>
struct Vec4T {
  T x{}, y{}, z{}, w{};

  constexpr T& operator[](std::size_t i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  constexpr const T& operator[](std::size_t i) const {
    return i == 0 ? x : i == 1 ? y : i == 2 ? z : w;
  }
  friend constexpr bool operator==(const Vec4T&, const Vec4T&) = default;
};

// In double precision, and in float where it says so.
using Vec2 = Vec2T<double>;
using Vec3 = Vec3T<double>;
using Vec4 = Vec4T<double>;
using Vec3f = Vec3T<float>;

// Rounded to float.
constexpr Vec3f to_float(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

// The scalar product.
template <class T>
constexpr T dot(const Vec3T<T>& a, const Vec3T<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// The vector product, right-handed.
template <class T>
constexpr Vec3T<T> cross(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// The length times itself: no square root.
template <class T>
constexpr T length_squared(const Vec3T<T>& a) {
  return dot(a, a);
}

// The Euclidean length.
template <class T>
T length(const Vec3T<T>& a) {
  return std::sqrt(dot(a, a));
}

// The Euclidean distance of two points.
template <class T>
T distance(const Vec3T<T>& a, const Vec3T<T>& b) {
  return length(b - a);
}

// Component-wise product.
template <class T>
constexpr Vec3T<T> scaled(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

// The smaller of each pair of components: a corner of the box around two points.
template <class T>
constexpr Vec3T<T> component_min(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

// The larger of each pair of components.
template <class T>
constexpr Vec3T<T> component_max(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

// a at t = 0, b at t = 1, on a straight line.
template <class T>
constexpr Vec3T<T> lerp(const Vec3T<T>& a, const Vec3T<T>& b, T t) {
  return a * (T(1) - t) + b * t;
}

// Whether no component is NaN or infinite.
template <class T>
bool is_finite(const Vec3T<T>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

// `a` scaled to unit length; `fallback` if `a` is zero or not finite. Divides by the largest
// component first, so that tiny and huge vectors neither underflow nor overflow.
template <class T>
Vec3T<T> normalized(const Vec3T<T>& a, const Vec3T<T>& fallback = {T(1), T(0), T(0)}) {
  const T largest = std::fmax(std::fabs(a.x), std::fmax(std::fabs(a.y), std::fabs(a.z)));
  if (!(largest > T(0)) || !is_finite(a)) return fallback;
  const Vec3T<T> b = a / largest;
  return b / length(b);
}

// A unit vector perpendicular to the unit vector `u`, always the same one for the same `u`.
template <class T>
Vec3T<T> any_perpendicular(const Vec3T<T>& u) {
  const Vec3T<T> axis = std::fabs(u.x) < T(0.6) ? Vec3T<T>{1, 0, 0} : Vec3T<T>{0, 1, 0};
  return normalized(cross(u, axis));
}

}  // namespace sinew
