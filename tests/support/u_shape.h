// SPDX-License-Identifier: Apache-2.0
// A flat U with a wide and a thin prong and a narrow gap between them. In a straight line, the
// inner side of the wide prong is nearer to the thin prong's bone than to its own.
#pragma once

#include <map>
#include <utility>

#include "sinew/core/quat.h"
#include "tests/support/torture.h"

namespace sinew {

// In the plane z = 0: by default the wide prong spans x = 0 to 1 and the thin one 1.2 to 1.5, both
// up to y = 3 from a base of height 0.5. The widths are given in squares of 0.05; the gap is always
// 0.2.
inline Surface u_shape(int wide = 20, int thin = 6) {
  Surface s;
  std::map<std::pair<int, int>, Index> known;
  const auto vertex = [&](int c, int r) {
    const auto [place, is_new] = known.try_emplace({c, r}, static_cast<Index>(s.positions.size()));
    if (is_new) s.positions.push_back({0.05 * c, 0.05 * r, 0});
    return place->second;
  };
  for (int r = 0; r < 60; ++r) {
    for (int c = 0; c < wide + 4 + thin; ++c) {
      if (r >= 10 && c >= wide && c < wide + 4) continue;
      const Index a = vertex(c, r), b = vertex(c + 1, r), d = vertex(c, r + 1),
                  e = vertex(c + 1, r + 1);
      s.triangles.push_back({a, b, d});
      s.triangles.push_back({b, e, d});
    }
  }
  return s;
}

// The same with a front and a back, optionally joined by a rim. The front comes first.
inline Surface u_card(double thickness, bool rim) {
  Surface s = u_shape();
  const auto n = static_cast<Index>(s.positions.size());
  std::map<std::pair<Index, Index>, int> sides;
  for (const Triangle& t : s.triangles) {
    for (std::size_t i = 0; i < 3; ++i) ++sides[{t[i], t[(i + 1) % 3]}];
  }
  Surface back = moved(s, 1, {0, 0, -thickness});
  flip(back);
  append(s, back);
  if (!rim) return s;
  for (const auto& [side, count] : sides) {
    const auto& [a, b] = side;
    if (sides.count({b, a}) != 0) continue;
    s.triangles.push_back({a, n + a, n + b});
    s.triangles.push_back({a, n + b, b});
  }
  return s;
}

// Bone 0 in the wide prong, bone 1 in the thin one.
inline Skeleton u_bones() {
  return loose_bones({{0.5, 0.3, 0}, {0.5, 2.8, 0}, {1.35, 0.3, 0}, {1.35, 2.8, 0}});
}

// Whether a point is on the wide prong and far enough above the base to be out of the other prong's
// reach.
inline bool on_wide_prong(const Vec3& p) { return p.x < 1.1 && p.y > 1.0; }

// Rotates everything about the origin.
inline Torture turned(Torture t, const Quat& by) {
  for (Vec3& p : t.mesh.positions) p = rotate(by, p);
  for (Bone& bone : t.skeleton.bones) {
    bone.head = rotate(by, bone.head);
    bone.tail = rotate(by, bone.tail);
  }
  return t;
}

}  // namespace sinew
