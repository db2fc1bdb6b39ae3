// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/plane_cover.h"

#include <algorithm>
#include <array>

#include "sinew/core/math.h"
#include "sinew/mesh/triangle.h"

namespace sinew::detail {
namespace {

constexpr double cover_reach = 1e-9;  // beyond a triangle's sides
constexpr double closed_gap = 1e-7;   // between two of them

double turn(const Vec3& a, const Vec3& b) { return a.x * b.y - a.y * b.x; }

// Keeps of the interval where the line at + t way is not farther than `cover_reach` outside of the
// side from a to b; false if that is nowhere.
bool clip(const Vec3& a, const Vec3& b, const Vec3& at, const Vec3& way, Interval& kept) {
  const Vec3 side = b - a;
  const double start = turn(side, at - a) + cover_reach * math::hypot(side.x, side.y);
  const double slope = turn(side, way);
  if (slope > 0) {
    kept.low = std::max(kept.low, -start / slope);
  } else if (slope < 0) {
    kept.high = std::min(kept.high, -start / slope);
  } else if (start < 0) {
    return false;
  }
  return kept.low <= kept.high;
}

bool meets(const Box& box, const Vec3& at, const Vec3& way) {
  double low = 0, high = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    const double near = box.low[i] - cover_reach - at[i], far = box.high[i] + cover_reach - at[i];
    if (way[i] == 0) {
      if (near > 0 || far < 0) return false;
      continue;
    }
    low = std::max(low, std::min(near / way[i], far / way[i]));
    high = std::min(high, std::max(near / way[i], far / way[i]));
  }
  return low <= high;
}

void join_intervals(std::vector<Interval>& intervals, double gap) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });
  std::size_t count = 0;
  for (const Interval& next : intervals) {
    if (count > 0 && next.low <= intervals[count - 1].high + gap) {
      intervals[count - 1].high = std::max(intervals[count - 1].high, next.high);
    } else {
      intervals[count++] = next;
    }
  }
  intervals.resize(count);
}

}  // namespace

PlaneCover::PlaneCover(std::vector<Vec3> points, std::vector<Triangle> triangles)
    : points_(std::move(points)), part_of_vertex_(points_.size(), any_part) {
  for (Vec3& p : points_) p.z = 0;
  // Triangles without area still connect their neighbours: the rim of a card, seen from above.
  const Components parts = connected_components(points_.size(), triangles);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    auto [a, b, c] = triangles[t];
    if (has_no_area(points_[a], points_[b], points_[c])) continue;
    if (turn(points_[b] - points_[a], points_[c] - points_[a]) < 0) std::swap(b, c);
    triangles_.push_back({a, b, c});
    part_of_triangle_.push_back(parts.of_triangle[t]);
    for (const Index v : triangles[t]) part_of_vertex_[v] = parts.of_triangle[t];
  }
  bvh_ = Bvh(points_, triangles_);
}

void PlaneCover::along(const Vec3& from, const Vec3& to, int part,
                       std::vector<Interval>& covered) const {
  covered.clear();
  if (bvh_.empty()) return;
  const Vec3 way = to - from;
  std::array<Index, Bvh::max_depth + 1> stack;
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const Bvh::Node& node = bvh_.nodes()[stack[--size]];
    if (!meets(node.box, from, way)) continue;
    if (!node.is_leaf()) {
      stack[size++] = node.first + 1;
      stack[size++] = node.first;
      continue;
    }
    for (Index i = node.first; i < node.first + node.count; ++i) {
      const Index t = bvh_.order()[i];
      if (part != any_part && part_of_triangle_[t] != part) continue;
      const auto& [a, b, c] = triangles_[t];
      Interval kept;
      if (clip(points_[a], points_[b], from, way, kept) &&
          clip(points_[b], points_[c], from, way, kept) &&
          clip(points_[c], points_[a], from, way, kept)) {
        covered.push_back(kept);
      }
    }
  }
  const double length = math::hypot(way.x, way.y);
  join_intervals(covered, length > 0 ? closed_gap / length : 1);
}

}  // namespace sinew::detail
