// SPDX-License-Identifier: Apache-2.0
// Small procedural meshes for tests and benchmarks.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "sinew/core/quat.h"
#include "sinew/mesh/mesh.h"

namespace sinew {

struct Surface {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
};

// Closed, outward, without seams: 2 * segments * (rings - 1) triangles, rings >= 2, segments >= 3.
inline Surface unit_sphere(Index rings, Index segments) {
  Surface s;
  s.positions.push_back({0, 0, 1});
  for (Index r = 1; r < rings; ++r) {
    const double polar = pi * r / rings;
    for (Index i = 0; i < segments; ++i) {
      const double around = 2 * pi * i / segments;
      s.positions.push_back({std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around),
                             std::cos(polar)});
    }
  }
  s.positions.push_back({0, 0, -1});
  const Index south = static_cast<Index>(s.positions.size() - 1);
  const auto at = [&](Index r, Index i) { return 1 + (r - 1) * segments + i % segments; };
  for (Index i = 0; i < segments; ++i) {
    s.triangles.push_back({0, at(1, i), at(1, i + 1)});
    for (Index r = 1; r + 1 < rings; ++r) {
      s.triangles.push_back({at(r, i), at(r + 1, i), at(r + 1, i + 1)});
      s.triangles.push_back({at(r, i), at(r + 1, i + 1), at(r, i + 1)});
    }
    s.triangles.push_back({at(rings - 1, i), south, at(rings - 1, i + 1)});
  }
  return s;
}

// From -1 to 1 along each axis, closed and outward, two triangles a side.
inline Surface cube() {
  Surface s;
  for (Index i = 0; i < 8; ++i) {
    s.positions.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  }
  s.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return s;
}

// Pseudo-random numbers that are the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // In [-1, 1).
  double number() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
  }
  Vec3 vector() {
    const double x = number();
    const double y = number();
    return {x, y, number()};
  }

 private:
  std::uint64_t state_;
};

// Triangles of all sizes in [-1, 1]^3 that share no vertices.
inline Surface triangle_soup(std::size_t count, std::uint64_t seed) {
  Surface s;
  Random random(seed);
  for (std::size_t t = 0; t < count; ++t) {
    const Vec3 center = random.vector();
    const double size = std::pow(10, 1.5 * random.number() - 1.5);
    const auto first = static_cast<Index>(s.positions.size());
    for (int i = 0; i < 3; ++i) s.positions.push_back(center + random.vector() * size);
    s.triangles.push_back({first, first + 1, first + 2});
  }
  return s;
}

inline void append(Surface& s, const Surface& other) {
  const auto first = static_cast<Index>(s.positions.size());
  s.positions.insert(s.positions.end(), other.positions.begin(), other.positions.end());
  for (const auto& [a, b, c] : other.triangles) {
    s.triangles.push_back({first + a, first + b, first + c});
  }
}

inline Surface moved(Surface s, double scale, const Vec3& by) {
  for (Vec3& p : s.positions) p = p * scale + by;
  return s;
}

// The same triangles, each with three vertices of its own.
inline Surface exploded(const Surface& s) {
  Surface result;
  for (const Triangle& t : s.triangles) {
    const auto first = static_cast<Index>(result.positions.size());
    for (const Index v : t) result.positions.push_back(s.positions[v]);
    result.triangles.push_back({first, first + 1, first + 2});
  }
  return result;
}

inline void flip(Surface& s) {
  for (Triangle& t : s.triangles) std::swap(t[1], t[2]);
}

// The positions, each moved by `map`.
template <class Map>
std::vector<Vec3> mapped(const std::vector<Vec3>& positions, const Map& map) {
  std::vector<Vec3> result;
  for (const Vec3& p : positions) result.push_back(map(p));
  return result;
}

}  // namespace sinew
