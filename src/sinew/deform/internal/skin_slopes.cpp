// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/internal/skin_slopes.h"

#include <algorithm>
#include <array>

#include "sinew/mesh/smooth_groups.h"

namespace sinew {
namespace {

// The gradients of the triangle's three hat functions, times twice its area.
std::array<Vec3, 3> hat_gradients(const std::array<Vec3, 3>& p, const Vec3& unit_normal) {
  return {cross(unit_normal, p[2] - p[1]), cross(unit_normal, p[0] - p[2]),
          cross(unit_normal, p[1] - p[0])};
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

std::uint32_t corner_of(Index vertex, std::vector<SkinSlopes::Fan::Corner>& corners) {
  std::uint32_t i = 0;
  while (i < corners.size() && corners[i].vertex != vertex) ++i;
  if (i == corners.size()) corners.push_back({vertex, {}});
  return i;
}

}  // namespace

SkinSlopes::SkinSlopes(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                       const std::vector<Vec3>& normals, const SkinRows& rows)
    : positions_(positions),
      triangles_(triangles),
      rows_(rows),
      has_twists_(std::any_of(rows.items.begin(), rows.items.end(),
                              [](const SkinInfluence& influence) {
                                return influence.twist_endpoint != influence.stretch_endpoint;
                              })),
      group_of_(smooth_groups(positions, normals)),
      triangles_at_(vertex_triangles(positions.size(), triangles, group_of_)) {}

// Fills the fan of the vertex, and returns twice its area.
double SkinSlopes::spread(std::size_t vertex, Fan& fan) const {
  fan.corners.clear();
  fan.sides.clear();
  double area = 0;
  for (const Index t : triangles_at_[group_of_[vertex]]) {
    const Triangle& triangle = triangles_[t];
    // If a corner has no influences, its triangle is skipped: weights do not sum to 1 there.
    const bool loose =
        std::any_of(triangle.begin(), triangle.end(), [&](Index v) { return rows_[v].empty(); });
    const std::array<Vec3, 3> p = {positions_[triangle[0]], positions_[triangle[1]],
                                   positions_[triangle[2]]};
    const Vec3 normal = cross(p[1] - p[0], p[2] - p[0]);
    const double twice_area = length(normal);
    if (!(twice_area > 0) || loose) continue;
    area += twice_area;
    Fan::Side side{{}, hat_gradients(p, normal / twice_area), twice_area};
    for (std::size_t k = 0; k < 3; ++k) {
      side.corners[k] = corner_of(triangle[k], fan.corners);
      fan.corners[side.corners[k]].gradient += side.hats[k];
    }
    fan.sides.push_back(side);
  }
  return area;
}

void SkinSlopes::add_endpoints(const Fan& fan, std::span<const SkinInfluence* const> influences,
                               double area, SkinSlope& slope) const {
  const auto add = [&](const Vec3& gradient, const SkinInfluence& influence) {
    slope.stretch += gradient * influence.stretch_endpoint;
    if (has_twists_) slope.twist += gradient * influence.twist_endpoint;
  };
  if (std::find(influences.begin(), influences.end(), nullptr) == influences.end()) {
    for (std::size_t i = 0; i < fan.corners.size(); ++i) {
      add(fan.corners[i].gradient, *influences[i]);
    }
    slope.known_area = area;
    return;
  }
  for (const Fan::Side& side : fan.sides) {
    const bool known = std::all_of(side.corners.begin(), side.corners.end(),
                                   [&](std::uint32_t i) { return influences[i] != nullptr; });
    if (!known) continue;
    for (std::size_t k = 0; k < 3; ++k) add(side.hats[k], *influences[side.corners[k]]);
    slope.known_area += side.twice_area;
  }
}

void SkinSlopes::at(std::size_t vertex, std::vector<SkinSlope>& slopes, Fan& fan) const {
  slopes.clear();
  if (rows_[vertex].empty()) return;
  for (const SkinInfluence& influence : rows_[vertex]) {
    slopes.push_back({influence, {}, {}, {}, 0});
  }
  const double area = spread(vertex, fan);
  if (!(area > 0)) return;
  const std::size_t count = fan.corners.size();
  fan.influences.assign(slopes.size() * count, nullptr);
  for (std::size_t i = 0; i < count; ++i) {
    for (const SkinInfluence& influence : rows_[fan.corners[i].vertex]) {
      const std::size_t place = place_of(influence, slopes);
      slopes[place].weight += fan.corners[i].gradient * influence.weight;
      if (fan.influences.size() < slopes.size() * count) {
        fan.influences.resize(slopes.size() * count, nullptr);
      }
      const SkinInfluence*& first = fan.influences[place * count + i];
      if (first == nullptr) first = &influence;
    }
  }
  for (std::size_t place = 0; place < slopes.size(); ++place) {
    SkinSlope& slope = slopes[place];
    slope.weight = slope.weight / area;
    add_endpoints(fan, std::span(fan.influences).subspan(place * count, count), area, slope);
    if (slope.known_area > 0) slope.stretch = slope.stretch / slope.known_area;
    if (slope.known_area > 0 && has_twists_) slope.twist = slope.twist / slope.known_area;
    if (!has_twists_) slope.twist = slope.stretch;
  }
}

}  // namespace sinew
