// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/detail/simplify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <queue>

namespace sinew::detail {
namespace {

using Corners = std::array<GridPoint, 3>;

std::int64_t cross(GridPoint o, GridPoint a, GridPoint b) {
  return (std::int64_t{a.x} - o.x) * (std::int64_t{b.y} - o.y) -
         (std::int64_t{a.y} - o.y) * (std::int64_t{b.x} - o.x);
}

// The border counts as inside.
bool contains(const Corners& t, GridPoint p) {
  const std::int64_t a = cross(t[0], t[1], p), b = cross(t[1], t[2], p), c = cross(t[2], t[0], p);
  if (a == 0 && b == 0 && c == 0) {
    const auto [low, high] = std::minmax({t[0].x + 0ll, t[1].x + 0ll, t[2].x + 0ll});
    const auto [top, bottom] = std::minmax({t[0].y + 0ll, t[1].y + 0ll, t[2].y + 0ll});
    return p.x >= low && p.x <= high && p.y >= top && p.y <= bottom;
  }
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

double squared_distance(GridPoint p, GridPoint a, GridPoint b) {
  const double ex = b.x - a.x, ey = b.y - a.y, length = ex * ex + ey * ey;
  const double px = p.x - a.x, py = p.y - a.y, along = px * ex + py * ey;
  if (along <= 0) return px * px + py * py;
  if (along >= length) return (px - ex) * (px - ex) + (py - ey) * (py - ey);
  const double across = px * ey - py * ex;
  return across * across / length;
}

// On the grid, vertices that are not neighbours are twice as far from all sides, or more.
bool is_near(GridPoint p, GridPoint a, GridPoint b) {
  const double least = 2 * outline_clearance;
  return squared_distance(p, a, b) < least * least;
}

// Whether the triangle, of positive area, and the inside of the square |x| + |y| < 1 around
// `center` have a point in common: no line along a side of either has them on different sides.
bool meets_square(const Corners& t, GridPoint center) {
  const auto apart = [&](auto along) {
    const auto [low, high] = std::minmax({along(t[0]), along(t[1]), along(t[2])});
    return high <= along(center) - 1 || low >= along(center) + 1;
  };
  if (apart([](GridPoint p) { return p.x + p.y; }) ||
      apart([](GridPoint p) { return p.x - p.y; })) {
    return false;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const GridPoint a = t[i], b = t[(i + 1) % 3];
    const std::int64_t reach = std::max(std::abs(b.x - a.x), std::abs(b.y - a.y));
    if (cross(a, b, center) <= -reach) return false;
  }
  return true;
}

// From where to where, along x, the triangle is between two heights.
struct Extent {
  double low, high;
};
Extent extent_between(const Corners& t, double top, double bottom) {
  Extent extent{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  const auto add = [&](double x) {
    extent.low = std::min(extent.low, x);
    extent.high = std::max(extent.high, x);
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const GridPoint a = t[i], b = t[(i + 1) % 3];
    if (a.y >= top && a.y <= bottom) add(a.x);
    for (const double y : {top, bottom}) {
      if ((a.y < y) != (b.y < y)) add(a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y));
    }
  }
  return extent;
}

// Calls visit(x, y) for all cells of `size` half pixels that are within half a pixel of the
// triangle, and perhaps some more, and stops where it returns true. Says whether it did.
template <class Visit>
bool any_cell(const Corners& t, int size, int width, int height, Visit&& visit) {
  const auto [top, bottom] = std::minmax({t[0].y, t[1].y, t[2].y});
  const int last = std::min(height - 1, (bottom + 1) / size);
  for (int y = std::max(0, top - 1) / size; y <= last; ++y) {
    const Extent extent = extent_between(t, std::clamp(y * size - 1, top, bottom),
                                         std::clamp((y + 1) * size + 1, top, bottom));
    const int low = std::max(0, static_cast<int>(extent.low) - 2) / size;
    const int high = std::min(width - 1, (static_cast<int>(extent.high) + 2) / size);
    for (int x = low; x <= high; ++x) {
      if (visit(x, y)) return true;
    }
  }
  return false;
}

// The vertices that are left, by place.
class Buckets {
 public:
  Buckets(const std::vector<GridPoint>& points, int width, int height)
      : points_(points), width_(2 * width / size + 1), height_(2 * height / size + 1) {
    const auto count = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    start_.assign(count + 1, 0);
    for (const GridPoint p : points_) ++start_[bucket(p) + 1];
    for (std::size_t i = 1; i <= count; ++i) start_[i] += start_[i - 1];
    end_.assign(start_.begin(), start_.end() - 1);
    items_.resize(points_.size());
    for (std::size_t i = 0; i < points_.size(); ++i) {
      items_[end_[bucket(points_[i])]++] = static_cast<std::uint32_t>(i);
    }
  }

  void remove(std::uint32_t vertex) {
    const std::size_t b = bucket(points_[vertex]);
    const auto end = items_.begin() + end_[b];
    *std::find(items_.begin() + start_[b], end, vertex) = *(end - 1);
    --end_[b];
  }

  // Whether another vertex than the three is in their triangle, or too near its side from a to c.
  bool any_other(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const Corners t{points_[a], points_[b], points_[c]};
    return any_cell(t, size, width_, height_, [&](int x, int y) {
      const std::size_t i = index(x, y);
      return std::any_of(items_.begin() + start_[i], items_.begin() + end_[i], [&](auto v) {
        return v != a && v != b && v != c &&
               (contains(t, points_[v]) || is_near(points_[v], t[0], t[2]));
      });
    });
  }

 private:
  static constexpr int size = 16;

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  std::size_t bucket(GridPoint p) const { return index(p.x / size, p.y / size); }

  const std::vector<GridPoint>& points_;
  int width_, height_;
  std::vector<std::uint32_t> start_, end_, items_;
};

bool cuts_figure(const Corners& t, const Grown& grown) {
  return any_cell(t, 2, grown.width, grown.height, [&](int x, int y) {
    return grown.cells[grown.index(x, y)] & Grown::figure &&
           meets_square(t, {2 * x + 1, 2 * y + 1});
  });
}

class Simplifier {
 public:
  Simplifier(const GridRings& rings, const Grown& grown, double tolerance)
      : points_(rings.points),
        begin_(rings.begin),
        grown_(grown),
        most_(4 * tolerance * tolerance),
        buckets_(points_, grown.width, grown.height),
        nodes_(points_.size()) {
    for (std::uint32_t r = 0; r + 1 < begin_.size(); ++r) {
      left_.push_back(begin_[r + 1] - begin_[r]);
      for (std::uint32_t i = begin_[r]; i < begin_[r + 1]; ++i) {
        nodes_[i] = {i == begin_[r] ? begin_[r + 1] - 1 : i - 1,
                     i + 1 == begin_[r + 1] ? begin_[r] : i + 1, r, 0};
      }
    }
  }

  GridRings run() {
    // Those that hardly matter first: corners stay where they are.
    drop_least(most_ / 10);
    for (std::uint32_t r = 0; r + 1 < begin_.size(); ++r) stretch(r);
    drop_least(most_);
    GridRings result;
    for (std::size_t r = 0; r + 1 < begin_.size(); ++r) {
      for (std::uint32_t i = begin_[r]; i < begin_[r + 1]; ++i) {
        if (nodes_[i].version != gone) result.points.push_back(points_[i]);
      }
      result.begin.push_back(static_cast<std::uint32_t>(result.points.size()));
    }
    return result;
  }

 private:
  static constexpr std::uint32_t gone = std::numeric_limits<std::uint32_t>::max();

  struct Node {
    std::uint32_t before, after, ring, version;
  };
  struct Rated {
    double deviation;
    std::uint32_t vertex, version;
    bool operator<(const Rated& other) const {
      return deviation != other.deviation ? deviation > other.deviation : vertex > other.vertex;
    }
  };

  // Leaves out vertices one by one, the one that matters least first.
  void drop_least(double most) {
    limit_ = most;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].version != gone) rate(i);
    }
    while (!queue_.empty()) {
      const Rated top = queue_.top();
      queue_.pop();
      const Node node = nodes_[top.vertex];
      if (node.version != top.version || !drop(top.vertex)) continue;
      rate(node.before);
      rate(node.after);
    }
  }

  // Makes the sides of a ring as long as they can be, one after the other, which takes fewer of
  // them around curves than dropping the least.
  void stretch(std::uint32_t ring) {
    limit_ = most_;
    std::uint32_t first = begin_[ring];
    while (nodes_[first].version == gone) ++first;
    for (std::uint32_t at = first, after = nodes_[at].after; after != first;
         after = nodes_[at].after) {
      if (deviation_without(nodes_[after]) > limit_ || !drop(after)) at = after;
    }
  }

  // Unless it is needed to keep things apart.
  bool drop(std::uint32_t vertex) {
    const Node node = nodes_[vertex];
    if (left_[node.ring] <= 3) return false;
    if (buckets_.any_other(node.before, vertex, node.after)) return false;
    const Corners t{points_[node.before], points_[vertex], points_[node.after]};
    if (cross(t[0], t[1], t[2]) > 0 && cuts_figure(t, grown_)) return false;
    nodes_[node.before].after = node.after;
    nodes_[node.after].before = node.before;
    nodes_[vertex].version = gone;
    buckets_.remove(vertex);
    --left_[node.ring];
    return true;
  }

  void rate(std::uint32_t vertex) {
    Node& node = nodes_[vertex];
    ++node.version;
    const double deviation = deviation_without(node);
    if (deviation <= limit_) queue_.push({deviation, vertex, node.version});
  }

  // The largest squared distance of the vertices between the node's neighbours, also of those that
  // are gone, from the segment that joins them. As the path between them covers all of the segment,
  // no point of the segment is farther from the path either.
  double deviation_without(const Node& node) const {
    const GridPoint a = points_[node.before], c = points_[node.after];
    double worst = 0;
    for (std::uint32_t i = next(node.before, node.ring); i != node.after; i = next(i, node.ring)) {
      worst = std::max(worst, squared_distance(points_[i], a, c));
      if (worst > limit_) break;
    }
    return worst;
  }

  std::uint32_t next(std::uint32_t i, std::uint32_t ring) const {
    return i + 1 == begin_[ring + 1] ? begin_[ring] : i + 1;
  }

  const std::vector<GridPoint>& points_;
  const std::vector<std::uint32_t>& begin_;
  const Grown& grown_;
  double most_, limit_ = 0;
  Buckets buckets_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> left_;
  std::priority_queue<Rated> queue_;
};

}  // namespace

GridRings simplify(const GridRings& rings, const Grown& grown, double tolerance) {
  return Simplifier(rings, grown, tolerance).run();
}

}  // namespace sinew::detail
