// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/triangle.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/math.h"
#include "sinew/core/quat.h"

namespace sinew {

double closest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double squared = dot(ab, ab);
  return squared > 0 ? std::clamp(dot(p - a, ab) / squared, 0.0, 1.0) : 0.0;
}

TrianglePoint closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 bc = c - b;
  const Vec3 ap = p - a;
  const Vec3 normal = cross(ab, ac);
  const double normal_squared = dot(normal, normal);

  TrianglePoint best;
  bool found = false;
  const double v = dot(normal, cross(ap, ac)) / normal_squared;
  const double w = dot(normal, cross(ab, ap)) / normal_squared;
  if (v >= 0 && w >= 0 && v + w <= 1) {
    best.barycentric = {1 - v - w, v, w};
    best.offset = ab * v + ac * w - ap;
    best.distance_squared = length_squared(best.offset);
    // The normal of a needle is mostly rounding error, so an edge may well be nearer.
    const double longest = std::max({length_squared(ab), length_squared(ac), length_squared(bc)});
    if (normal_squared > 1e-12 * longest * longest) return best;
    found = true;
  }

  const auto edge = [&](const Vec3& from, const Vec3& to, const Vec3& at_from, const Vec3& at_to) {
    const double t = closest_on_segment(p, from, to);
    const Vec3 offset = lerp(from - p, to - p, t);
    const double distance_squared = length_squared(offset);
    if (found && !(distance_squared < best.distance_squared)) return;
    best = {offset, lerp(at_from, at_to, t), distance_squared};
    found = true;
  };
  edge(a, b, {1, 0, 0}, {0, 1, 0});
  edge(b, c, {0, 1, 0}, {0, 0, 1});
  edge(a, c, {1, 0, 0}, {0, 0, 1});
  return best;
}

double solid_angle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 pa = a - p;
  const Vec3 pb = b - p;
  const Vec3 pc = c - p;
  const double volume = dot(pa, cross(b - a, c - a));
  if (volume == 0) return 0;
  const double la = length(pa);
  const double lb = length(pb);
  const double lc = length(pc);
  return 2 *
         math::atan2(volume, la * lb * lc + dot(pa, pb) * lc + dot(pb, pc) * la + dot(pc, pa) * lb);
}

bool has_no_area(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double longest =
      std::max({length_squared(b - a), length_squared(c - b), length_squared(a - c)});
  return !(length(cross(b - a, c - a)) > 1e-14 * longest);
}

double smallest_angle(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles) {
  require_indices(positions.size(), triangles);
  double smallest = pi / 3;
  for (const Triangle& t : triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3& corner = positions[t[i]];
      const Vec3 a = positions[t[(i + 1) % 3]] - corner, b = positions[t[(i + 2) % 3]] - corner;
      smallest = std::min(smallest, math::atan2(length(cross(a, b)), dot(a, b)));
    }
  }
  return smallest;
}

void require_indices(std::size_t vertex_count, const std::vector<Triangle>& triangles) {
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const Index v : triangles[t]) {
      if (v >= vertex_count) {
        throw InputError(
            formatted("triangle {}", t),
            formatted("refers to vertex {}, but there are only {} vertices", v, vertex_count));
      }
    }
  }
}

void require_sound(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles) {
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (!is_finite(positions[v])) {
      throw InputError(formatted("vertex {}", v),
                       "has a coordinate that is not a finite number; remove or repair the vertex");
    }
  }
  require_indices(positions.size(), triangles);
}

}  // namespace sinew
