// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/orient.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/core/rows.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

// A side of a triangle, listed with its lower vertex.
struct EdgeSide {
  Index high = 0;  // its other vertex
  Index triangle = 0;
  bool forward = false;  // from low to high
};

Rows<EdgeSide> sorted_sides(std::size_t vertices, const std::vector<Triangle>& triangles) {
  auto sides = rows_by_key<EdgeSide>(vertices, [&](const auto& add) {
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      for (std::size_t i = 0; i < 3; ++i) {
        const Index a = triangles[t][i], b = triangles[t][(i + 1) % 3];
        if (a != b) add(std::min(a, b), {std::max(a, b), static_cast<Index>(t), a < b});
      }
    }
  });
  parallel_for(vertices, 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto row = sides[v];
      std::sort(row.begin(), row.end(), [](const EdgeSide& a, const EdgeSide& b) {
        return a.high != b.high ? a.high < b.high : a.triangle < b.triangle;
      });
    }
  });
  return sides;
}

struct Neighbour {
  Index triangle = 0;
  bool same_way = false;  // the two run along their edge the same way: one of them is turned
};

// At most one across each side.
class Neighbours {
 public:
  void add(const Neighbour& neighbour) { all_[count_++] = neighbour; }
  const Neighbour* begin() const { return all_.data(); }
  const Neighbour* end() const { return all_.data() + count_; }

 private:
  std::array<Neighbour, 3> all_;
  std::size_t count_ = 0;
};

}  // namespace

Oriented orient(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles) {
  require_indices(positions.size(), triangles);
  std::vector<Neighbours> neighbours(triangles.size());
  const Rows<EdgeSide> sides = sorted_sides(positions.size(), triangles);
  for (std::size_t v = 0; v < sides.size(); ++v) {
    const auto row = sides[v];
    for (std::size_t i = 0; i < row.size();) {
      std::size_t end = i;
      while (end < row.size() && row[end].high == row[i].high) ++end;
      if (end - i == 2 && row[i].triangle != row[i + 1].triangle) {
        const bool same_way = row[i].forward == row[i + 1].forward;
        neighbours[row[i].triangle].add({row[i + 1].triangle, same_way});
        neighbours[row[i + 1].triangle].add({row[i].triangle, same_way});
      }
      i = end;
    }
  }
  std::vector<char> reached(triangles.size(), 0), turned(triangles.size(), 0);
  std::vector<Index> patch;
  for (std::size_t seed = 0; seed < triangles.size(); ++seed) {
    if (reached[seed] != 0) continue;
    patch.assign(1, static_cast<Index>(seed));
    reached[seed] = 1;
    for (std::size_t k = 0; k < patch.size(); ++k) {
      for (const Neighbour& n : neighbours[patch[k]]) {
        if (reached[n.triangle] != 0) continue;
        reached[n.triangle] = 1;
        turned[n.triangle] = static_cast<char>((turned[patch[k]] != 0) != n.same_way);
        patch.push_back(n.triangle);
      }
    }
    Vec3 center;
    for (const Index t : patch) {
      for (const Index v : triangles[t]) center += positions[v];
    }
    center = center / static_cast<double>(3 * patch.size());
    double volume = 0, turned_area = 0, kept_area = 0;
    for (const Index t : patch) {
      const Vec3 a = positions[triangles[t][0]] - center, b = positions[triangles[t][1]] - center,
                 c = positions[triangles[t][2]] - center;
      volume += (turned[t] != 0 ? -1 : 1) * dot(a, cross(b, c));
      (turned[t] != 0 ? turned_area : kept_area) += length(cross(b - a, c - a));
    }
    // A flat patch has no volume: keep the orientation that most of its triangles have.
    const double size = turned_area + kept_area;
    const bool flat = std::abs(volume) <= 1e-9 * size * std::sqrt(size);
    if (flat ? turned_area > kept_area : volume < 0) {
      for (const Index t : patch) turned[t] = static_cast<char>(turned[t] == 0);
    }
  }
  Oriented result{triangles, 0};
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (turned[t] == 0) continue;
    std::swap(result.triangles[t][1], result.triangles[t][2]);
    ++result.turned;
  }
  return result;
}

}  // namespace sinew
