// SPDX-License-Identifier: Apache-2.0
// What the tests of the samples ask of a surface.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "sinew/core/quat.h"
#include "sinew/mesh/mesh.h"

namespace sinew {

struct SurfaceReport {
  std::size_t bad_edges = 0;       // directed edges that occur twice
  std::size_t border_edges = 0;    // directed edges without their opposite
  std::size_t split_vertices = 0;  // vertices with more than one fan, or none
  std::size_t parts = 0;
  double volume = 0;
  double area = 0;
  double least_angle = 180;     // degrees
  double narrow_angles = 0;     // the fraction of angles under 20 degrees
  double mean_least_angle = 0;  // of each triangle's least
};

inline SurfaceReport report_on(const std::vector<Vec3>& positions,
                               const std::vector<Triangle>& triangles) {
  SurfaceReport report;
  std::unordered_map<std::uint64_t, Index> next_in_fan;
  const auto key = [](Index a, Index b) { return (std::uint64_t{a} << 32) | b; };
  std::vector<std::size_t> corners(positions.size(), 0);
  std::vector<Index> root(positions.size());
  for (Index v = 0; v < root.size(); ++v) root[v] = v;
  const auto find = [&](Index v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  std::size_t narrow = 0;
  for (const Triangle& t : triangles) {
    double least = 180;
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      if (!next_in_fan.emplace(key(a, b), c).second) ++report.bad_edges;
      ++corners[a];
      root[find(a)] = find(b);
      const Vec3 u = normalized(positions[b] - positions[a]);
      const Vec3 v = normalized(positions[c] - positions[a]);
      const double angle = degrees(std::acos(std::clamp(dot(u, v), -1.0, 1.0)));
      if (angle < 20) ++narrow;
      least = std::min(least, angle);
    }
    report.least_angle = std::min(report.least_angle, least);
    report.mean_least_angle += least / static_cast<double>(triangles.size());
    const Vec3 area = cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]);
    report.area += length(area) / 2;
    report.volume += dot(positions[t[0]], area) / 6;
  }
  report.narrow_angles = static_cast<double>(narrow) / static_cast<double>(3 * triangles.size());
  std::vector<Index> start(positions.size(), ~Index{0});
  for (const auto& [edge, across] : next_in_fan) {
    const auto a = static_cast<Index>(edge >> 32), b = static_cast<Index>(edge);
    const bool border = !next_in_fan.contains(key(b, a));
    if (border) ++report.border_edges;
    // The border's edge comes first counter-clockwise; elsewhere any will do.
    if (border || start[a] == ~Index{0}) start[a] = b;
  }
  for (Index v = 0; v < positions.size(); ++v) {
    if (find(v) == v) ++report.parts;
    std::size_t fan = 0;
    Index b = start[v];
    while (fan < corners[v]) {
      const auto found = next_in_fan.find(key(v, b));
      if (found == next_in_fan.end()) break;
      ++fan;
      b = found->second;
      if (b == start[v]) break;
    }
    if (fan == 0 || fan != corners[v]) ++report.split_vertices;
  }
  return report;
}

// The vertex that each vertex goes to under x -> -x, or -1 where there is none within `tolerance`.
inline std::vector<int> mirror_vertices(const std::vector<Vec3>& positions, double tolerance) {
  std::map<std::array<std::int64_t, 3>, std::vector<int>> cells;
  const auto cell = [&](const Vec3& p) {
    return std::array<std::int64_t, 3>{std::llround(p.x / (4 * tolerance)),
                                       std::llround(p.y / (4 * tolerance)),
                                       std::llround(p.z / (4 * tolerance))};
  };
  for (std::size_t v = 0; v < positions.size(); ++v) {
    cells[cell(positions[v])].push_back(static_cast<int>(v));
  }
  std::vector<int> images;
  for (const Vec3& p : positions) {
    const Vec3 q{-p.x, p.y, p.z};
    int image = -1;
    const auto middle = cell(q);
    for (int n = 0; n < 27 && image < 0; ++n) {
      const auto found =
          cells.find({middle[0] + n % 3 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n / 9 - 1});
      if (found == cells.end()) continue;
      for (const int v : found->second) {
        if (distance(positions[v], q) <= tolerance) image = v;
      }
    }
    images.push_back(image);
  }
  return images;
}

}  // namespace sinew
