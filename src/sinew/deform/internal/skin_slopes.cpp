// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/internal/skin_slopes.h"

#include <algorithm>
#include <array>

#include "sinew/mesh/smooth_groups.h"

namespace sinew {
namespace {

Adjacency group_triangles(const std::vector<Index>& group_of, std::vector<Triangle> triangles) {
  for (Triangle& triangle : triangles) {
    for (Index& v : triangle) v = group_of[v];
  }
  return vertex_triangles(group_of.size(), triangles);
}

// The gradients of the triangle's three hat functions, times twice its area.
std::array<Vec3, 3> hat_gradients(const std::array<Vec3, 3>& p, const Vec3& unit_normal) {
  return {cross(unit_normal, p[2] - p[1]), cross(unit_normal, p[0] - p[2]),
          cross(unit_normal, p[1] - p[0])};
}

const SkinInfluence* find(std::span<const SkinInfluence> row, int bone) {
  const auto found =
      std::find_if(row.begin(), row.end(), [&](const SkinInfluence& i) { return i.bone == bone; });
  return found == row.end() ? nullptr : &*found;
}

// The slope of the influence's bone, added if it is new.
std::size_t place_of(const SkinInfluence& influence, std::vector<SkinSlope>& slopes) {
  std::size_t i = 0;
  while (i < slopes.size() && slopes[i].at.bone != influence.bone) ++i;
  if (i == slopes.size()) {
    slopes.push_back({influence, {}, {}, {}, 0});
    slopes.back().at.weight = 0;
  }
  return i;
}

}  // namespace

SkinSlopes::SkinSlopes(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                       const std::vector<Vec3>& normals, const SkinRows& rows)
    : positions_(positions),
      triangles_(triangles),
      rows_(rows),
      group_of_(smooth_groups(positions, normals)),
      triangles_at_(group_triangles(group_of_, triangles)) {}

void SkinSlopes::at(std::size_t vertex, std::vector<SkinSlope>& slopes) const {
  slopes.clear();
  if (rows_[vertex].empty()) return;
  for (const SkinInfluence& influence : rows_[vertex]) {
    slopes.push_back({influence, {}, {}, {}, 0});
  }
  double area = 0;
  for (const Index t : triangles_at_[group_of_[vertex]]) {
    const Triangle& triangle = triangles_[t];
    const std::array<Vec3, 3> p = {positions_[triangle[0]], positions_[triangle[1]],
                                   positions_[triangle[2]]};
    const std::array rows = {rows_[triangle[0]], rows_[triangle[1]], rows_[triangle[2]]};
    const Vec3 normal = cross(p[1] - p[0], p[2] - p[0]);
    const double twice_area = length(normal);
    // If a corner has no influences, its triangle is skipped: weights do not sum to 1 there.
    const bool loose = std::any_of(rows.begin(), rows.end(), [](auto row) { return row.empty(); });
    if (!(twice_area > 0) || loose) continue;
    area += twice_area;
    const auto hats = hat_gradients(p, normal / twice_area);
    for (std::size_t k = 0; k < 3; ++k) {
      for (const SkinInfluence& influence : rows[k]) {
        slopes[place_of(influence, slopes)].weight += hats[k] * influence.weight;
      }
    }
    for (const SkinInfluence& first : rows[0]) {
      const SkinInfluence* second = find(rows[1], first.bone);
      const SkinInfluence* third = find(rows[2], first.bone);
      if (second == nullptr || third == nullptr) continue;
      SkinSlope& slope = slopes[place_of(first, slopes)];
      slope.stretch += hats[0] * first.stretch_endpoint + hats[1] * second->stretch_endpoint +
                       hats[2] * third->stretch_endpoint;
      slope.twist += hats[0] * first.twist_endpoint + hats[1] * second->twist_endpoint +
                     hats[2] * third->twist_endpoint;
      slope.known_area += twice_area;
    }
  }
  for (SkinSlope& slope : slopes) {
    if (area > 0) slope.weight = slope.weight / area;
    if (!(slope.known_area > 0)) continue;
    slope.stretch = slope.stretch / slope.known_area;
    slope.twist = slope.twist / slope.known_area;
  }
}

}  // namespace sinew
