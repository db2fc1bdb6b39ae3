// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/internal/skin_slopes.h"

#include <algorithm>
#include <array>

#include "sinew/mesh/smooth_groups.h"

namespace sinew {
namespace {

// The gradients of the triangle's three hat functions, times twice its area. They sum to 0.
std::array<Vec3, 3> hat_gradients(const Vec3& to_second, const Vec3& to_third,
                                  const Vec3& unit_normal) {
  const Vec3 second = cross(to_third, unit_normal), third = cross(unit_normal, to_second);
  return {-(second + third), second, third};
}

// The slope of the influence's bone, added if it is new. Where neighbours have the same bones, it
// is the one at `guess`.
std::size_t place_of(const SkinInfluence& influence, std::size_t guess,
                     std::vector<SkinSlope>& slopes) {
  if (guess < slopes.size() && slopes[guess].at.bone == influence.bone) return guess;
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

// Calls use(triangle, gradients of its hat functions times twice its area, twice its area) for the
// triangles about the vertex. Returns the sum of the last.
template <class Use>
double SkinSlopes::each_side(std::size_t vertex, const Use& use) const {
  double area = 0;
  for (const Index t : triangles_at_[group_of_[vertex]]) {
    const Triangle& triangle = triangles_[t];
    const Vec3& first = positions_[triangle[0]];
    const Vec3 to_second = positions_[triangle[1]] - first,
               to_third = positions_[triangle[2]] - first;
    const Vec3 normal = cross(to_second, to_third);
    const double twice_area = length(normal);
    // If a corner has no influences, its triangle is skipped: weights do not sum to 1 there.
    const bool loose =
        std::any_of(triangle.begin(), triangle.end(), [&](Index v) { return rows_[v].empty(); });
    if (!(twice_area > 0) || loose) continue;
    area += twice_area;
    use(triangle, hat_gradients(to_second, to_third, normal * (1 / twice_area)), twice_area);
  }
  return area;
}

// Endpoint weights where all corners have the bone are linear in them, as weights are.
void SkinSlopes::add_endpoints(std::size_t vertex, Fan& fan,
                               std::span<const SkinInfluence* const> influences, double area,
                               SkinSlope& slope) const {
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
  if (fan.sides.empty()) {
    each_side(vertex, [&](const Triangle& t, const std::array<Vec3, 3>& hats, double twice_area) {
      fan.sides.push_back({{corner_of(t[0], fan.corners), corner_of(t[1], fan.corners),
                            corner_of(t[2], fan.corners)},
                           hats,
                           twice_area});
    });
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
  fan.corners.clear();
  fan.sides.clear();
  const double area =
      each_side(vertex, [&](const Triangle& t, const std::array<Vec3, 3>& hats, double) {
        for (std::size_t k = 0; k < 3; ++k) {
          const std::uint32_t corner = corner_of(t[k], fan.corners);
          fan.corners[corner].gradient += hats[k];
        }
      });
  if (!(area > 0)) return;
  const std::size_t count = fan.corners.size();
  fan.influences.assign(slopes.size() * count, nullptr);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = rows_[fan.corners[i].vertex];
    for (std::size_t k = 0; k < row.size(); ++k) {
      const SkinInfluence& influence = row[k];
      const std::size_t place = place_of(influence, k, slopes);
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
    add_endpoints(vertex, fan, std::span(fan.influences).subspan(place * count, count), area,
                  slope);
    if (slope.known_area > 0) slope.stretch = slope.stretch / slope.known_area;
    if (slope.known_area > 0 && has_twists_) slope.twist = slope.twist / slope.known_area;
    if (!has_twists_) slope.twist = slope.stretch;
  }
}

}  // namespace sinew
