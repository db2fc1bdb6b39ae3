// SPDX-License-Identifier: Apache-2.0
#include "sinew/plane/detail/prepare.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/math.h"
#include "sinew/plane/detail/triangulation.h"

namespace sinew::plane {
namespace {

constexpr double steps = 0x1p24;   // along the longer side of the outline's box
constexpr double margin = 0x1p21;  // lines are cut off that far from it
constexpr std::int32_t room = 1 << 23;

void check_edges(const PlaneRegion& region, const std::vector<std::array<Index, 2>>& edges,
                 const char* what) {
  for (std::size_t e = 0; e < edges.size(); ++e) {
    for (const Index v : edges[e]) {
      if (v >= region.points.size()) {
        throw InputError(fmt::format("{} {}", what, e),
                         fmt::format("names point {}, but there are {}", v, region.points.size()));
      }
      const Vec2 p = region.points[v];
      if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
        throw InputError(fmt::format("point {}", v), "its coordinates are not finite numbers");
      }
    }
  }
}

// Clips the line from `a` to `b` at one side of the box: where the coordinate `x` is `at`, on the
// side given by `sign`. False if all of it lies beyond.
bool clip(Vec2& a, Vec2& b, double Vec2::*x, double Vec2::*y, double at, double sign) {
  const bool a_beyond = (a.*x - at) * sign > 0, b_beyond = (b.*x - at) * sign > 0;
  if (a_beyond && b_beyond) return false;
  if (!a_beyond && !b_beyond) return true;
  Vec2 cut;
  cut.*x = at;
  cut.*y = a.*y + (b.*y - a.*y) * ((at - a.*x) / (b.*x - a.*x));
  (a_beyond ? a : b) = cut;
  return true;
}

// The part inside the box. Clips one side after the other, because the ends may be so far away that
// their coordinates cannot resolve the box.
bool clip(Vec2& a, Vec2& b, double low, double high) {
  return clip(a, b, &Vec2::x, &Vec2::y, low, -1) && clip(a, b, &Vec2::x, &Vec2::y, high, 1) &&
         clip(a, b, &Vec2::y, &Vec2::x, low, -1) && clip(a, b, &Vec2::y, &Vec2::x, high, 1);
}

// Finds the lines close to a point.
class LineLookup {
 public:
  LineLookup(const std::vector<GridPoint>& points, const std::vector<std::array<Index, 2>>& lines,
             double tolerance)
      : points_(points), lines_(lines), tolerance_(tolerance), near_(side * side) {
    for (std::size_t l = 0; l < lines.size(); ++l) {
      if (lines[l][0] == none) continue;
      Vec2 a = to_vec(points[lines[l][0]]), b = to_vec(points[lines[l][1]]);
      if (a.x > b.x) std::swap(a, b);
      for (int x = cell(a.x - tolerance); x <= cell(b.x + tolerance); ++x) {
        // The rows that the line covers in this column, with a margin.
        const double slope = b.x > a.x ? (b.y - a.y) / (b.x - a.x) : 0;
        const auto height = [&](double at) {
          return a.y + slope * (std::clamp(at, a.x, b.x) - a.x);
        };
        double low = height(width * x - tolerance), high = height(width * (x + 1) + tolerance);
        if (b.x == a.x) high = b.y;
        if (low > high) std::swap(low, high);
        for (int y = cell(low - tolerance); y <= cell(high + tolerance); ++y) {
          near_[y * side + x].push_back(static_cast<Index>(l));
        }
      }
    }
  }

  // The point on the nearest line within the tolerance; the point itself if there is none, or if it
  // lies on that line already, within a step.
  GridPoint pulled(GridPoint p) const {
    double least = tolerance_;
    GridPoint best = p;
    for (const Index l : near_[cell(p.y) * side + cell(p.x)]) {
      const Vec2 a = to_vec(points_[lines_[l][0]]);
      const Vec2 way = to_vec(points_[lines_[l][1]]) - a, to_p = to_vec(p) - a;
      const double squared = way.x * way.x + way.y * way.y;
      if (squared == 0) continue;
      const double t = std::clamp((to_p.x * way.x + to_p.y * way.y) / squared, 0.0, 1.0);
      const Vec2 apart = to_p - way * t;
      const double distance = math::hypot(apart.x, apart.y);
      if (distance > least) continue;
      least = distance;
      best = distance <= 1 ? p : rounded(a + way * t);
    }
    return best;
  }

 private:
  static constexpr int side = 128;
  static constexpr double width = steps / side;

  static int cell(double x) { return static_cast<int>(std::clamp(x / width, 0.0, side - 1.0)); }

  const std::vector<GridPoint>& points_;
  const std::vector<std::array<Index, 2>>& lines_;
  double tolerance_;
  std::vector<std::vector<Index>> near_;
};

// Distinct points, found by position.
class Joiner {
 public:
  Joiner(double reach, std::vector<GridPoint>& points)
      : width_(std::max(reach, 1.0)), points_(points) {}

  // The nearest point that is no farther than `reach`; a new one if there is none.
  Index join(GridPoint p, double reach) {
    const std::int64_t x = cell(p.x), y = cell(p.y);
    Index nearest = none;
    double least = reach;
    for (std::int64_t j = y - 1; j <= y + 1; ++j) {
      for (std::int64_t i = x - 1; i <= x + 1; ++i) {
        const auto list = first_.find(key(i, j));
        if (list == first_.end()) continue;
        for (Index q = list->second; q != none; q = next_[q]) {
          const double apart = distance(points_[q], p);
          if (apart > least || (apart == least && nearest != none)) continue;
          least = apart;
          nearest = q;
        }
      }
    }
    if (nearest != none) return nearest;
    const auto added = static_cast<Index>(points_.size());
    points_.push_back(p);
    Index& first = first_.try_emplace(key(x, y), none).first->second;
    next_.push_back(first);
    first = added;
    return added;
  }

 private:
  std::int64_t cell(std::int32_t x) const {
    return static_cast<std::int64_t>(std::floor(x / width_));
  }
  static std::int64_t key(std::int64_t x, std::int64_t y) {
    return x * (std::int64_t{1} << 32) + y;
  }

  double width_;
  std::vector<GridPoint>& points_;
  std::vector<Index> next_;  // in the same cell
  std::unordered_map<std::int64_t, Index> first_;
};

void check_closed(const Prepared& prepared) {
  std::vector<std::uint8_t> odd(prepared.points.size(), 0);
  for (const auto& [a, b] : prepared.outline) {
    odd[a] ^= 1;
    odd[b] ^= 1;
  }
  for (std::size_t v = 0; v < prepared.point_of.size(); ++v) {
    if (prepared.point_of[v] != none && odd[prepared.point_of[v]] != 0) {
      throw InputError(fmt::format("point {}", v),
                       "an odd number of the outline's edges end here; its rings must be closed");
    }
  }
}

}  // namespace

Grid grid_for(const PlaneRegion& region, double& extent) {
  check_edges(region, region.outline, "edge of the outline");
  check_edges(region, region.lines, "line");
  if (region.outline.empty()) throw InputError("outline", "has no edges");
  Vec2 low = region.points[region.outline[0][0]], high = low;
  for (const auto& edge : region.outline) {
    for (const Index v : edge) {
      const Vec2 p = region.points[v];
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  extent = std::max(high.x - low.x, high.y - low.y);
  if (extent == 0) throw InputError("outline", "all of its points are at one place");
  const double farthest =
      std::max({std::fabs(low.x), std::fabs(low.y), std::fabs(high.x), std::fabs(high.y)});
  // After rounding to doubles, a triangle of half a square step must still be distinguishable from
  // a degenerate one.
  const double step = extent / steps * std::sqrt(std::max(1.0, farthest / extent));
  if (!std::isnormal(step) || !(extent < std::numeric_limits<double>::max() / 4)) {
    throw InputError("outline", fmt::format("cannot be handled at a size of {}; scale it", extent));
  }
  if (extent < 1024 * step) {
    throw InputError("outline", fmt::format("is too far from the origin ({}) for its size of {}; "
                                            "move it closer",
                                            farthest, extent));
  }
  return {low, step};
}

Prepared prepare(const PlaneRegion& region, double tolerance) {
  Prepared result;
  double extent = 0;
  result.grid = grid_for(region, extent);
  const Grid& grid = result.grid;
  result.extent = extent / grid.step;
  const auto edge = static_cast<std::int32_t>(std::ceil(result.extent)) + room;
  result.low = {-room, -room};
  result.high = {edge, edge};
  const double reach = std::min(tolerance / grid.step, result.extent / 16);

  result.point_of.assign(region.points.size(), none);
  Joiner joiner(std::max(reach, 2.0), result.points);
  const auto keep = [&](Index v, GridPoint p, double how_far, bool moved) {
    if (result.point_of[v] != none) return;
    result.point_of[v] = joiner.join(p, how_far);
    if (result.source.size() < result.points.size()) result.source.push_back(moved ? none : v);
  };

  for (const auto& line : region.lines) {
    Vec2 a = grid.to_grid(region.points[line[0]]), b = grid.to_grid(region.points[line[1]]);
    const Vec2 given_a = a, given_b = b;
    std::array<Index, 2> ends = {none, none};
    if (std::isfinite(a.x + a.y + b.x + b.y) && clip(a, b, -margin, result.extent + margin)) {
      const auto end = [&](Index v, Vec2 p, Vec2 given) {
        if (p == given) {
          keep(v, rounded(p), 2, false);
          return result.point_of[v];
        }
        const Index cut = joiner.join(rounded(p), 2);
        if (result.source.size() < result.points.size()) result.source.push_back(none);
        return cut;
      };
      ends[0] = end(line[0], a, given_a);
      ends[1] = end(line[1], b, given_b);
    }
    result.lines.push_back(ends);
  }

  const std::vector<GridPoint> line_ends = result.points;
  const LineLookup lines(line_ends, result.lines, reach);
  for (const auto& outline_edge : region.outline) {
    for (const Index v : outline_edge) {
      const GridPoint given = rounded(grid.to_grid(region.points[v]));
      const GridPoint p = lines.pulled(given);
      keep(v, p, reach, p != given);
    }
    const std::array<Index, 2> joined = {result.point_of[outline_edge[0]],
                                         result.point_of[outline_edge[1]]};
    if (joined[0] != joined[1]) result.outline.push_back(joined);
  }
  check_closed(result);
  return result;
}

}  // namespace sinew::plane
