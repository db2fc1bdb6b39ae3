// SPDX-License-Identifier: Apache-2.0
// Flat shapes: sheets, and cards with a front and a back.
#pragma once

#include <array>

#include "sinew/core/quat.h"
#include "tests/support/shapes.h"

namespace sinew {

// A sheet in the plane z = `height` with `columns` x `rows` vertices, a tenth apart; vertex (c, r)
// is r * columns + c.
inline Surface sheet(Index columns, Index rows, double height = 0) {
  Surface s;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) s.positions.push_back({0.1 * c, 0.1 * r, height});
  }
  for (Index r = 0; r + 1 < rows; ++r) {
    for (Index c = 0; c + 1 < columns; ++c) {
      const Index v = r * columns + c;
      s.triangles.push_back({v, v + 1, v + columns});
      s.triangles.push_back({v + 1, v + columns + 1, v + columns});
    }
  }
  return s;
}

// Two such sheets back to back, `thickness` apart: the front's vertices, then the back's. If `rim`
// is set, a rim joins them.
inline Surface card(Index columns, Index rows, double thickness, bool rim) {
  Surface back = sheet(columns, rows, -thickness / 2);
  flip(back);
  Surface s = sheet(columns, rows, thickness / 2);
  append(s, back);
  if (!rim) return s;
  const Index n = columns * rows;
  const auto wall = [&](Index a, Index b) {
    s.triangles.push_back({a, n + a, n + b});
    s.triangles.push_back({a, n + b, b});
  };
  for (Index c = 0; c + 1 < columns; ++c) {
    wall(c, c + 1);
    wall((rows - 1) * columns + c + 1, (rows - 1) * columns + c);
  }
  for (Index r = 0; r + 1 < rows; ++r) {
    wall((r + 1) * columns, r * columns);
    wall(r * columns + columns - 1, (r + 1) * columns + columns - 1);
  }
  return s;
}

// Adds noise of up to `size` to every height, the same on every machine.
inline void add_noise(Surface& s, double size) {
  Random random(5);
  for (Vec3& p : s.positions) p.z += size * random.number();
}

// Rotations that take the plane z = 0 to itself, to y = 0, to x = 0, and to two tilted planes.
inline std::array<Quat, 5> planes() {
  return {Quat{0, 0, 0, 1}, rotation_about(Vec3{1, 0, 0}, pi / 2),
          rotation_about(Vec3{0, 1, 0}, pi / 2), rotation_about(normalized(Vec3{1, 2, -1}), 0.7),
          rotation_about(normalized(Vec3{-2, 0.3, 1}), 2.5)};
}

}  // namespace sinew
