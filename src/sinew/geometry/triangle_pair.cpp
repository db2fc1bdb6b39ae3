// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/triangle_pair.h"

#include <cmath>
#include <limits>

namespace sinew {
namespace {

using Corners = std::array<Vec3, 3>;
using Signs = std::array<int, 3>;

constexpr double half_ulp = std::numeric_limits<double>::epsilon() / 2;

int sign(double value, double error) { return value > error ? 1 : value < -error ? -1 : 0; }

// Positive if d lies on the side of the plane a b c from which a, b, c appear clockwise.
int side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  constexpr double bound = (7 + 56 * half_ulp) * half_ulp;
  const Vec3 u = a - d, v = b - d, w = c - d;
  const double vw = v.x * w.y, wv = w.x * v.y;
  const double wu = w.x * u.y, uw = u.x * w.y;
  const double uv = u.x * v.y, vu = v.x * u.y;
  const double determinant = u.z * (vw - wv) + v.z * (wu - uw) + w.z * (uv - vu);
  const double size = std::fabs(u.z) * (std::fabs(vw) + std::fabs(wv)) +
                      std::fabs(v.z) * (std::fabs(wu) + std::fabs(uw)) +
                      std::fabs(w.z) * (std::fabs(uv) + std::fabs(vu));
  return sign(determinant, bound * size);
}

bool all_positive(const Signs& s) { return s[0] > 0 && s[1] > 0 && s[2] > 0; }
bool all_negative(const Signs& s) { return s[0] < 0 && s[1] < 0 && s[2] < 0; }
bool all_zero(const Signs& s) { return s[0] == 0 && s[1] == 0 && s[2] == 0; }

Signs sides(const Corners& of_plane, const Corners& t) {
  const auto& [a, b, c] = of_plane;
  return {side(a, b, c, t[0]), side(a, b, c, t[1]), side(a, b, c, t[2])};
}

// Whether an edge of `t`, whose corners lie on these sides of the plane of `s`, passes through `s`.
// Edges within the plane need no test: if one meets s, one of its neighbours or an edge of s passes
// through the other triangle.
bool edge_goes_through(const Corners& s, const Corners& t, const Signs& t_sides) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (t_sides[i] * t_sides[j] > 0 || (t_sides[i] == 0 && t_sides[j] == 0)) continue;
    const Signs around = {side(t[i], t[j], s[0], s[1]), side(t[i], t[j], s[1], s[2]),
                          side(t[i], t[j], s[2], s[0])};
    bool left = false, right = false;
    for (const int sign : around) {
      left = left || sign > 0;
      right = right || sign < 0;
    }
    if (!left || !right) return true;
  }
  return false;
}

struct FlatCorner {
  double x, y;
};

int turn(const FlatCorner& a, const FlatCorner& b, const FlatCorner& c) {
  constexpr double bound = (3 + 16 * half_ulp) * half_ulp;
  const double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x);
  return sign(left - right, bound * (std::fabs(left) + std::fabs(right)));
}

// Whether an edge of s has all of s on one side and all of t beyond it.
bool edge_separates(const std::array<FlatCorner, 3>& s, const std::array<FlatCorner, 3>& t) {
  const int inside = turn(s[0], s[1], s[2]);
  if (inside == 0) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    bool beyond = true;
    for (const FlatCorner& corner : t) beyond = beyond && turn(s[i], s[j], corner) * inside < 0;
    if (beyond) return true;
  }
  return false;
}

// Projected along the coordinate axis closest to the normal of s.
bool overlap_as_seen(const Corners& s, const Corners& t) {
  const Vec3 n = cross(s[1] - s[0], s[2] - s[0]);
  const Vec3 size = {std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)};
  const std::size_t along = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  std::array<FlatCorner, 3> flat_s{}, flat_t{};
  for (std::size_t i = 0; i < 3; ++i) {
    flat_s[i] = {s[i][(along + 1) % 3], s[i][(along + 2) % 3]};
    flat_t[i] = {t[i][(along + 1) % 3], t[i][(along + 2) % 3]};
  }
  return !edge_separates(flat_s, flat_t) && !edge_separates(flat_t, flat_s);
}

}  // namespace

bool triangles_meet(const std::array<Vec3, 3>& s, const std::array<Vec3, 3>& t) {
  const Signs t_sides = sides(s, t);
  if (all_positive(t_sides) || all_negative(t_sides)) return false;
  const Signs s_sides = sides(t, s);
  if (all_positive(s_sides) || all_negative(s_sides)) return false;
  // If the triangles are nearly coplanar, all signs below are in doubt and cannot tell apart two
  // triangles that lie beside each other.
  if (!overlap_as_seen(s, t)) return false;
  if (all_zero(t_sides) || all_zero(s_sides)) return true;
  return edge_goes_through(s, t, t_sides) || edge_goes_through(t, s, s_sides);
}

}  // namespace sinew
