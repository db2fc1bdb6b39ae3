// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/volume.h"

#include <algorithm>
#include <cmath>

#include "sinew/geometry/orient.h"
#include "sinew/measure/detail/closed_surface.h"
#include "sinew/measure/detail/require.h"

namespace sinew {
namespace {

using detail::RimEdge;

constexpr double most_fan = 0.5;
constexpr double least_volume = 1e-9;

std::vector<RimEdge> rim_of(const std::vector<Triangle>& triangles) {
  std::vector<RimEdge> edges;
  edges.reserve(3 * triangles.size());
  for (const Triangle& t : triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Index a = t[i], b = t[(i + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const RimEdge& a, const RimEdge& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  std::vector<RimEdge> rim;
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    RimEdge sum = edges[begin];
    for (end = begin + 1;
         end < edges.size() && edges[end].from == sum.from && edges[end].to == sum.to; ++end) {
      sum.times += edges[end].times;
    }
    if (sum.times < 0) sum = {sum.to, sum.from, -sum.times};
    if (sum.times > 0) rim.push_back(sum);
  }
  return rim;
}

}  // namespace

namespace detail {

ClosedSurface::ClosedSurface(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest)
    : welded_(weld(rest, triangles)),
      triangles_(orient(welded_.positions, welded_.triangles).triangles),
      rim_(rim_of(triangles_)),
      parts_(connected_components(welded_.positions.size(), triangles_)),
      anchors_(static_cast<std::size_t>(parts_.count)),
      extent_(bounding_box(rest).diagonal()) {
  for (std::size_t v = welded_.positions.size(); v-- > 0;) {
    anchors_[parts_.of_vertex[v]] = static_cast<Index>(v);
  }
  std::vector<Triangle> slivers;
  for (const RimEdge& edge : rim_) {
    slivers.push_back({edge.from, edge.to, edge.to});
    rim_lengths_.push_back(edge.times *
                           distance(welded_.positions[edge.from], welded_.positions[edge.to]));
  }
  holes_ = connected_components(welded_.positions.size(), slivers);
  rest_ = sizes(welded_.positions);
}

std::vector<ClosedSurface::PartSize> ClosedSurface::sizes(
    const std::vector<Vec3>& positions) const {
  std::vector<PartSize> sizes(anchors_.size());
  const auto add = [&](int part, const Vec3& a, const Vec3& b, const Vec3& c, double times,
                       bool is_fan) {
    PartSize& size = sizes[part];
    const Vec3 normal = cross(b - a, c - a);
    // Relative to a vertex of the part, which preserves precision far from the origin.
    const Vec3& anchor = positions[anchors_[part]];
    size.volume += times * dot(a - anchor, normal) / 6;
    (is_fan ? size.fan_area : size.area) += times * length(normal) / 2;
  };
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const auto& [a, b, c] = triangles_[t];
    add(parts_.of_triangle[t], positions[a], positions[b], positions[c], 1, false);
  }
  const std::vector<Vec3> middles = hole_middles(positions);
  for (std::size_t e = 0; e < rim_.size(); ++e) {
    const Vec3& middle = middles[holes_.of_triangle[e]];
    add(parts_.of_vertex[rim_[e].from], positions[rim_[e].to], positions[rim_[e].from], middle,
        rim_[e].times, true);
  }
  return sizes;
}

std::vector<Vec3> ClosedSurface::hole_middles(const std::vector<Vec3>& positions) const {
  std::vector<Vec3> sums(holes_.count);
  std::vector<double> lengths(sums.size(), 0);
  for (std::size_t e = 0; e < rim_.size(); ++e) {
    const std::size_t hole = holes_.of_triangle[e];
    sums[hole] += (positions[rim_[e].from] + positions[rim_[e].to]) * (0.5 * rim_lengths_[e]);
    lengths[hole] += rim_lengths_[e];
  }
  for (std::size_t h = 0; h < sums.size(); ++h) {
    if (lengths[h] > 0) sums[h] = sums[h] / lengths[h];
  }
  return sums;
}

std::optional<VolumeChange> ClosedSurface::change(const std::vector<Vec3>& deformed) const {
  std::vector<Vec3> after;
  after.reserve(welded_.source.size());
  for (const Index v : welded_.source) after.push_back(deformed[v]);
  const std::vector<PartSize> posed = sizes(after);
  VolumeChange result;
  for (std::size_t part = 0; part < rest_.size(); ++part) {
    const PartSize& before = rest_[part];
    if (!(before.area > 0)) continue;
    if (before.fan_area > most_fan * before.area ||
        !(std::fabs(before.volume) > least_volume * before.area * extent_)) {
      ++result.left_out;
      continue;
    }
    ++result.parts;
    if (before.fan_area > 0) ++result.open_parts;
    result.rest += std::fabs(before.volume);
    result.deformed += before.volume < 0 ? -posed[part].volume : posed[part].volume;
  }
  if (result.parts == 0) return std::nullopt;
  return result;
}

}  // namespace detail

std::optional<VolumeChange> volume_change(const std::vector<Triangle>& triangles,
                                          const std::vector<Vec3>& rest,
                                          const std::vector<Vec3>& deformed) {
  detail::require_same_mesh(triangles, rest, deformed);
  return detail::ClosedSurface(triangles, rest).change(deformed);
}

}  // namespace sinew
