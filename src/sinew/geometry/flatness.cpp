// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/flatness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/core/math.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

// Rounding error, as a fraction of the shape's length.
constexpr double rounding = 1e-12;

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  double size() const { return high - low; }
};

// Eigenvectors of a symmetric matrix by Jacobi's method, that of the largest eigenvalue first.
std::array<Vec3, 3> eigenvectors(Mat3 m) {
  Mat3 v;
  for (int sweep = 0; sweep < 16; ++sweep) {
    for (std::size_t p = 0; p < 2; ++p) {
      for (std::size_t q = p + 1; q < 3; ++q) {
        if (m[p][q] == 0) continue;
        const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = std::copysign(1.0, theta) / (std::abs(theta) + math::hypot(1.0, theta));
        const double c = 1 / math::hypot(1.0, t), s = t * c;
        Mat3 turn;
        turn[p][p] = turn[q][q] = c;
        turn[q][p] = s;
        turn[p][q] = -s;
        m = transpose(turn) * m * turn;
        m[p][q] = m[q][p] = 0;
        v = v * turn;
      }
    }
  }
  std::array<std::size_t, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return m[a][a] > m[b][b]; });
  return {normalized(v[order[0]]), normalized(v[order[1]]), normalized(v[order[2]])};
}

// Right-handed, with the normal last and pointing to where its largest coordinate is above 0.
Mat3 axes_with(Vec3 normal, const Vec3& along) {
  std::size_t largest = 2;
  for (const std::size_t i : {std::size_t{1}, std::size_t{0}}) {
    if (std::abs(normal[i]) > std::abs(normal[largest])) largest = i;
  }
  if (normal[largest] < 0) normal = -normal;
  const Vec3 x = normalized(along - normal * dot(normal, along));
  return {x, cross(normal, x), normal};
}

// Whether four of the points, each far from the others, span a body so thick that no plane is as
// near to all points as a flat shape's. False where that does not settle it.
bool is_thick(const std::vector<Vec3>& points, double size) {
  const auto farthest = [&](const auto& distance) {
    const Vec3* best = &points[0];
    double most = -1;
    for (const Vec3& p : points) {
      const double d = distance(p);
      if (d > most) {
        most = d;
        best = &p;
      }
    }
    return *best;
  };
  const Vec3 a = farthest([&](const Vec3& p) { return length_squared(p - points[0]); });
  const Vec3 b = farthest([&](const Vec3& p) { return length_squared(p - a); });
  const Vec3 c = farthest([&](const Vec3& p) { return length_squared(cross(p - a, b - a)); });
  const Vec3 normal = cross(b - a, c - a);
  const Vec3 d = farthest([&](const Vec3& p) { return std::fabs(dot(p - a, normal)); });
  // Scaled, as products of three lengths may be too large for a number.
  const Vec3 ab = (b - a) / size, ac = (c - a) / size, ad = (d - a) / size;
  const double faces = length(cross(ab, ac)) + length(cross(ab, ad)) + length(cross(ac, ad)) +
                       length(cross(ac - ab, ad - ab));
  // A ball in a tetrahedron has the radius 3 V / (sum of areas); whatever contains it is at least
  // twice as thick in every direction.
  const double thickness = 2 * std::fabs(dot(ad, cross(ab, ac))) / faces;
  return thickness > 2 * flat_share;
}

}  // namespace

std::optional<FlatFrame> find_flat(const std::vector<Vec3>& positions,
                                   const std::vector<Triangle>& triangles) {
  require_sound(positions, triangles);
  if (triangles.empty()) return std::nullopt;
  std::vector<char> is_used(positions.size(), 0);
  for (const Triangle& t : triangles) {
    for (const Index v : t) is_used[v] = 1;
  }
  std::vector<Vec3> used;
  used.reserve(positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (is_used[v] != 0) used.push_back(positions[v]);
  }
  const Box box = bounding_box(used);
  const double size = box.diagonal();
  if (!(size > 0) || !std::isfinite(size) || is_thick(used, size)) return std::nullopt;
  // Weighted by area, so that it does not depend on the tessellation.
  Mat3 spread = Mat3{} * 0;
  Vec3 mean;
  double total = 0;
  const auto corners_of = [&](const Triangle& t) {
    std::array<Vec3, 3> corners;
    for (std::size_t i = 0; i < 3; ++i) corners[i] = (positions[t[i]] - box.center()) / size;
    return corners;
  };
  const auto area_of = [](const std::array<Vec3, 3>& corners) {
    return length(cross(corners[1] - corners[0], corners[2] - corners[0]));
  };
  for (const Triangle& t : triangles) {
    const std::array<Vec3, 3> corners = corners_of(t);
    const double area = area_of(corners);
    for (const Vec3& corner : corners) mean += corner * area;
    total += 3 * area;
  }
  if (!(total > 0)) return std::nullopt;
  mean *= 1 / total;
  for (const Triangle& t : triangles) {
    const std::array<Vec3, 3> corners = corners_of(t);
    const double share = area_of(corners) / total;
    for (const Vec3& corner : corners) {
      const Vec3 d = corner - mean;
      spread = spread + Mat3{d * d.x, d * d.y, d * d.z} * share;
    }
  }
  const std::array<Vec3, 3> main = eigenvectors(spread);
  const Vec3 middle = box.center() + mean * size;
  const auto extent_along = [&](const Vec3& direction) {
    Extent extent;
    for (const Vec3& p : used) {
      const double x = dot(direction, p - middle);
      extent.low = std::min(extent.low, x);
      extent.high = std::max(extent.high, x);
    }
    return extent;
  };
  FlatFrame frame;
  frame.width = extent_along(main[1]).size();
  frame.thickness = extent_along(main[2]).size();
  if (!(frame.width > rounding * size) || frame.thickness > flat_share * frame.width) {
    return std::nullopt;
  }
  // If the shape is about as thin along a coordinate axis, use the coordinate axes.
  const std::array<Vec3, 3> units{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  for (const std::size_t i : {std::size_t{2}, std::size_t{1}, std::size_t{0}}) {
    const double thickness = box.high[i] - box.low[i];
    if (thickness > 2 * frame.thickness + rounding * size || thickness > flat_share * frame.width) {
      continue;
    }
    frame.thickness = thickness;
    frame.axes = {units[(i + 1) % 3], units[(i + 2) % 3], units[i]};
    frame.origin[i] = box.center()[i];
    return frame;
  }
  frame.axes = axes_with(main[2], main[0]);
  const Extent across = extent_along(frame.axes.z);
  frame.origin = middle + frame.axes.z * ((across.low + across.high) / 2);
  return frame;
}

}  // namespace sinew
