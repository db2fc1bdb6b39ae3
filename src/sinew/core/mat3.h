// SPDX-License-Identifier: Apache-2.0
// 3x3 matrices, stored by columns and applied to column vectors.
#pragma once

#include "sinew/core/vec.h"

namespace sinew {

// Three columns; the identity if nothing is said.
template <class T>
struct Mat3T {
  Vec3T<T> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};  // the images of the three axes

  constexpr Vec3T<T>& operator[](std::size_t column) {
    return column == 0 ? x : column == 1 ? y : z;
  }
  constexpr const Vec3T<T>& operator[](std::size_t column) const {
    return column == 0 ? x : column == 1 ? y : z;
  }
  friend constexpr bool operator==(const Mat3T&, const Mat3T&) = default;
  friend constexpr Vec3T<T> operator*(const Mat3T& m, const Vec3T<T>& v) {
    return m.x * v.x + m.y * v.y + m.z * v.z;
  }
  friend constexpr Mat3T operator*(const Mat3T& a, const Mat3T& b) {
    return {a * b.x, a * b.y, a * b.z};
  }
  friend constexpr Mat3T operator*(const Mat3T& m, T s) { return {m.x * s, m.y * s, m.z * s}; }
  friend constexpr Mat3T operator+(const Mat3T& a, const Mat3T& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend constexpr Mat3T operator-(const Mat3T& a, const Mat3T& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
};

// In double precision.
using Mat3 = Mat3T<double>;

// Scales x, y and z by the components of d.
template <class T>
constexpr Mat3T<T> diagonal(const Vec3T<T>& d) {
  return {{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}};
}

// Rows for columns.
template <class T>
constexpr Mat3T<T> transpose(const Mat3T<T>& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

// How volumes grow; negative for a map that mirrors, 0 for a singular one.
template <class T>
constexpr T determinant(const Mat3T<T>& m) {
  return dot(m.x, cross(m.y, m.z));
}

// The transposed cofactor matrix: inverse(m) * determinant(m), also defined for singular m.
template <class T>
constexpr Mat3T<T> adjugate(const Mat3T<T>& m) {
  return transpose(Mat3T<T>{cross(m.y, m.z), cross(m.z, m.x), cross(m.x, m.y)});
}

// Infinite or NaN if m is singular: check determinant() first where that can happen.
template <class T>
constexpr Mat3T<T> inverse(const Mat3T<T>& m) {
  return adjugate(m) * (T(1) / determinant(m));
}

}  // namespace sinew
