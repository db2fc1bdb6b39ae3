// SPDX-License-Identifier: Apache-2.0
// Small silhouettes, and what is true of them by brute force.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/picture/mask.h"
#include "tests/support/shapes.h"
#include "tests/support/vec2.h"

namespace sinew {

// '#' is inside.
inline Mask drawn(const std::vector<std::string>& rows) {
  Mask mask(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()));
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      mask.inside[mask.index(x, y)] = rows[y][x] == '#' ? 1 : 0;
    }
  }
  return mask;
}

// Inside is where test(x, y) says so of a pixel's centre.
template <class Test>
Mask mask_of(int width, int height, Test&& test) {
  Mask mask(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) mask.inside[mask.index(x, y)] = test(x + 0.5, y + 0.5) ? 1 : 0;
  }
  return mask;
}

inline double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
inline double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }

inline double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 way = b - a;
  const double squared = dot(way, way);
  const double t = squared > 0 ? std::fmin(1, std::fmax(0, dot(p - a, way) / squared)) : 0;
  return length(p - a - way * t);
}

// Whether (x, y) is within `radius` of a line through the points.
inline bool near_path(double x, double y, const std::vector<Vec2>& path, double radius) {
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (distance_to_segment({x, y}, path[i], path[i + 1]) <= radius) return true;
  }
  return false;
}

using Ring = std::vector<Vec2>;

inline double area(const Ring& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    twice += cross(ring[i], ring[(i + 1) % ring.size()]);
  }
  return twice / 2;
}

inline double distance_to_ring(Vec2 p, const Ring& ring) {
  double least = distance_to_segment(p, ring[0], ring.back());
  for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
    least = std::fmin(least, distance_to_segment(p, ring[i], ring[i + 1]));
  }
  return least;
}

inline double distance_to_rings(Vec2 p, const std::vector<Ring>& rings) {
  double least = distance_to_ring(p, rings[0]);
  for (const Ring& ring : rings) least = std::fmin(least, distance_to_ring(p, ring));
  return least;
}

// How often all rings together go around a point.
inline int winding(Vec2 p, const std::vector<Ring>& rings) {
  int around = 0;
  for (const Ring& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Vec2 a = ring[i], b = ring[(i + 1) % ring.size()];
      if ((a.y <= p.y) == (b.y <= p.y)) continue;
      if ((cross(b - a, p - a) > 0) == (b.y > a.y)) around += b.y > a.y ? 1 : -1;
    }
  }
  return around;
}

// How many islands (through corners too) and holes (through sides only) a mask has.
struct MaskTopology {
  int islands = 0, holes = 0;
  friend bool operator==(const MaskTopology&, const MaskTopology&) = default;
};
inline MaskTopology topology_of(const Mask& mask) {
  const int width = mask.width + 2, height = mask.height + 2;
  std::vector<int> seen(width * height, 0);
  MaskTopology topology{0, -1};
  for (int start = 0; start < width * height; ++start) {
    if (seen[start]) continue;
    const bool in = mask.at(start % width - 1, start / width - 1);
    ++(in ? topology.islands : topology.holes);
    std::vector<int> stack{start};
    seen[start] = 1;
    while (!stack.empty()) {
      const int x = stack.back() % width, y = stack.back() / width;
      stack.pop_back();
      for (int j = y - 1; j <= y + 1; ++j) {
        for (int i = x - 1; i <= x + 1; ++i) {
          if (i < 0 || j < 0 || i >= width || j >= height || (!in && i != x && j != y)) continue;
          int& other = seen[j * width + i];
          if (other || mask.at(i - 1, j - 1) != in) continue;
          other = 1;
          stack.push_back(j * width + i);
        }
      }
    }
  }
  return topology;
}

struct NamedMask {
  std::string name;
  Mask mask;
};

inline Mask noise(int width, int height, double density, std::uint64_t seed) {
  Random random(seed);
  Mask mask =
      mask_of(width, height, [&](double, double) { return random.number() < 2 * density - 1; });
  mask.inside[0] = 1;
  return mask;
}

// What outlines and bones find hard.
inline std::vector<NamedMask> hard_silhouettes() {
  std::vector<NamedMask> all;
  all.push_back({"one pixel", drawn({"#"})});
  all.push_back({"all of the picture", drawn({"####", "####", "####"})});
  all.push_back({"thin cross", drawn({"..#..", "..#..", "#####", "..#..", "..#.."})});
  all.push_back({"diagonal", drawn({"#....", ".#...", "..#..", "...#.", "....#"})});
  all.push_back({"bridge of a corner", drawn({"###...", "###...", "###...", "...###", "...###"})});
  all.push_back({"hole of a pixel", drawn({"###", "#.#", "###"})});
  all.push_back({"hole closed by corners", drawn({".#.", "#.#", ".#."})});
  all.push_back({"island in a hole", drawn({"#######", "#.....#", "#.###.#", "#.#.#.#", "#.###.#",
                                            "#.....#", "#######"})});
  all.push_back({"islands a pixel apart", drawn({"##.##", "##.##", ".....", "##.##"})});
  all.push_back({"spiral", drawn({"#########", "........#", "#######.#", "#.....#.#", "#.###.#.#",
                                  "#.#...#.#", "#.#####.#", "#.......#", "#########"})});
  all.push_back({"checkerboard",
                 mask_of(15, 14, [](double x, double y) { return (int(x) + int(y)) % 2 == 0; })});
  all.push_back({"dots", mask_of(15, 14, [](double x, double y) {
                   return int(x) % 2 == 0 && int(y) % 2 == 0;
                 })});
  all.push_back({"comb", mask_of(41, 30, [](double x, double y) {
                   return y > 25 || (y > 3 && int(x) % 2 == 0);
                 })});
  all.push_back({"ring", mask_of(40, 40, [](double x, double y) {
                   return std::fabs(std::hypot(x - 20, y - 20) - 15) < 1;
                 })});
  for (int i = 1; i < 10; ++i) {
    all.push_back(
        {"noise " + std::to_string(i), noise(30, 24, 0.1 * i, static_cast<std::uint64_t>(i))});
  }
  return all;
}

}  // namespace sinew
