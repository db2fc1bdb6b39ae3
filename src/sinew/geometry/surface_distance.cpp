// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/surface_distance.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/math.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();
// Smaller gains are rounding errors; following them might never end.
constexpr double least_gain = 1e-12;
// Around obtuse corners a distance may still decrease after it was propagated. A vertex is expanded
// at most this often.
constexpr std::uint8_t most_expansions = 4;

}  // namespace

SurfaceDistance::SurfaceDistance(std::vector<Vec3> positions, std::vector<Triangle> triangles)
    : positions_(std::move(positions)),
      triangles_(std::move(triangles)),
      distances_(positions_.size(), unreached),
      stamps_(positions_.size(), 0),
      expansions_(positions_.size(), 0) {
  require_sound(positions_, triangles_);
  around_ = vertex_triangles(positions_.size(), triangles_);
}

double& SurfaceDistance::distance_of(Index vertex) {
  if (stamps_[vertex] != stamp_) {
    stamps_[vertex] = stamp_;
    distances_[vertex] = unreached;
    expansions_[vertex] = 0;
  }
  return distances_[vertex];
}

void SurfaceDistance::offer(Index vertex, double distance) {
  double& current = distance_of(vertex);
  if (!(distance < current * (1 - least_gain))) return;
  if (current == unreached) touched_.push_back(vertex);
  current = distance;
  heap_.emplace_back(distance, vertex);
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

// The distance of c along the straight path across the edge a b; infinite if that path misses the
// edge.
double SurfaceDistance::through_edge(Index a, Index b, Index c) {
  const double da = distance_of(a);
  const double db = distance_of(b);
  const Vec3 ab = positions_[b] - positions_[a];
  const Vec3 ac = positions_[c] - positions_[a];
  const double edge = length(ab);
  if (!(edge > 0) || da == unreached || db == unreached) return unreached;
  // In the plane of the triangle with the edge along x: the source below it, c above.
  const double x = (edge * edge + (da - db) * (da + db)) / (2 * edge);
  const double y = std::sqrt(std::max((da - x) * (da + x), 0.0));
  const double cx = dot(ac, ab) / edge;
  const double cy = length(cross(ab, ac)) / edge;
  if (!(y + cy > 0)) return unreached;
  const double crossing = x + (cx - x) * (y / (y + cy));
  if (crossing < 0 || crossing > edge) return unreached;
  return math::hypot(cx - x, cy + y);
}

void SurfaceDistance::expand(Index vertex) {
  const double here = distance_of(vertex);
  if (expansions_[vertex] == most_expansions) return;
  ++expansions_[vertex];
  for (const Index t : around_[vertex]) {
    const Triangle& corners = triangles_[t];
    for (std::size_t i = 0; i < 3; ++i) {
      const Index u = corners[i];
      if (u == vertex) continue;
      offer(u, here + sinew::distance(positions_[vertex], positions_[u]));
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const Index c = corners[i];
      const Index u = corners[(i + 1) % 3];
      const Index w = corners[(i + 2) % 3];
      if (u == vertex || w == vertex) offer(c, through_edge(u, w, c));
    }
  }
}

std::span<const SurfaceDistance::Reached> SurfaceDistance::within(const Triangle& corners,
                                                                  const Vec3& barycentric,
                                                                  double radius) {
  for (const Index corner : corners) {
    if (corner < positions_.size()) continue;
    throw UsageError(fmt::format("there is no vertex {} to measure from; there are {}", corner,
                                 positions_.size()));
  }
  if (!is_finite(barycentric) || std::isnan(radius)) {
    throw UsageError("distances are measured from a point and up to a radius, both numbers");
  }
  ++stamp_;
  heap_.clear();
  touched_.clear();
  reached_.clear();
  Vec3 source;
  for (std::size_t i = 0; i < 3; ++i) source += positions_[corners[i]] * barycentric[i];
  for (const Index corner : corners) offer(corner, sinew::distance(source, positions_[corner]));
  for (const Index corner : corners) expand(corner);
  while (!heap_.empty()) {
    const auto [distance, vertex] = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
    if (distance > radius) break;
    if (distance == distance_of(vertex)) expand(vertex);
  }
  for (const Index vertex : touched_) {
    if (distance_of(vertex) <= radius) reached_.push_back({vertex, distance_of(vertex)});
  }
  std::sort(reached_.begin(), reached_.end(), [](const Reached& a, const Reached& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.vertex < b.vertex;
  });
  return reached_;
}

}  // namespace sinew
