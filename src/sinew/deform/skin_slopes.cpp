// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/skin_slopes.h"

#include <algorithm>
#include <array>

#include "sinew/mesh/smooth_groups.h"

namespace sinew {
namespace {

// What one triangle says about a bone.
struct TriangleSlope {
  int corners = 0;  // that have the bone
  Vec3 weight, stretch, twist;
};

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

// The place of the influence's bone among the slopes, where it is put if it is new.
std::size_t place_of(const SkinInfluence& influence, std::vector<SkinSlope>& slopes) {
  std::size_t i = 0;
  while (i < slopes.size() && slopes[i].at.bone != influence.bone) ++i;
  if (i == slopes.size()) {
    slopes.push_back({influence, {}, {}, {}});
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
  if (rows_.row(vertex).empty()) return;
  for (const SkinInfluence& influence : rows_.row(vertex)) {
    slopes.push_back({influence, {}, {}, {}});
  }
  double area = 0;
  std::vector<double> shared_areas(slopes.size(), 0.0);
  std::vector<TriangleSlope> here;
  for (const Index t : triangles_at_.of(group_of_[vertex])) {
    const Triangle& triangle = triangles_[t];
    const std::array<Vec3, 3> p = {positions_[triangle[0]], positions_[triangle[1]],
                                   positions_[triangle[2]]};
    const Vec3 normal = cross(p[1] - p[0], p[2] - p[0]);
    const double twice_area = length(normal);
    // Where a corner is tied to nothing, weights have no slope: they do not sum to 1 there.
    const bool loose = std::any_of(triangle.begin(), triangle.end(),
                                   [&](Index v) { return rows_.row(v).empty(); });
    if (!(twice_area > 0) || loose) continue;
    const auto hats = hat_gradients(p, normal / twice_area);
    here.assign(slopes.size(), {});
    for (std::size_t k = 0; k < 3; ++k) {
      for (const SkinInfluence& influence : rows_.row(triangle[k])) {
        const std::size_t i = place_of(influence, slopes);
        here.resize(slopes.size());
        ++here[i].corners;
        here[i].weight += hats[k] * influence.weight;
        here[i].stretch += hats[k] * influence.stretch;
        here[i].twist += hats[k] * influence.twist;
      }
    }
    shared_areas.resize(slopes.size(), 0.0);
    area += twice_area;
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      slopes[i].weight += here[i].weight;
      if (here[i].corners < 3) continue;
      slopes[i].stretch += here[i].stretch;
      slopes[i].twist += here[i].twist;
      shared_areas[i] += twice_area;
    }
  }
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    if (area > 0) slopes[i].weight = slopes[i].weight / area;
    if (shared_areas[i] > 0) {
      slopes[i].stretch = slopes[i].stretch / shared_areas[i];
      slopes[i].twist = slopes[i].twist / shared_areas[i];
    }
  }
}

}  // namespace sinew
