// SPDX-License-Identifier: Apache-2.0
#include "sinew/plane/detail/refine.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/math.h"
#include "sinew/plane/detail/features.h"

namespace sinew::plane {
namespace {

// A triangle as refinement sees it.
struct Shape {
  unsigned apex = 0;  // the corner across from the shortest edge, with the smallest angle
  double shortest = 0, longest = 0;
  double radius = 0;  // of the circle through the corners
  Vec2 center;
};

Shape shape_of(const std::array<GridPoint, 3>& p) {
  std::array<double, 3> length{};
  for (unsigned i = 0; i < 3; ++i) length[i] = distance(p[next(i)], p[previous(i)]);
  Shape shape;
  shape.apex =
      static_cast<unsigned>(std::min_element(length.begin(), length.end()) - length.begin());
  shape.shortest = length[shape.apex];
  shape.longest = *std::max_element(length.begin(), length.end());
  const auto area = static_cast<double>(orient(p[0], p[1], p[2]));
  shape.radius = length[0] * length[1] * length[2] / (2 * area);
  // From the apex, whose edges are the longest.
  const Vec2 apex = to_vec(p[shape.apex]);
  const Vec2 u = to_vec(p[next(shape.apex)]) - apex, v = to_vec(p[previous(shape.apex)]) - apex;
  const double uu = u.x * u.x + u.y * u.y, vv = v.x * v.x + v.y * v.y;
  shape.center = apex + Vec2{v.y * uu - u.y * vv, u.x * vv - v.x * uu} * (0.5 / area);
  return shape;
}

class Refiner {
  static constexpr unsigned levels = 64, least_of_large = levels + 1;

 public:
  Refiner(Triangulation& mesh, const Refinement& wanted)
      : mesh_(mesh),
        wanted_(wanted),
        sine_(math::sin(wanted.min_angle * std::numbers::pi / 180)),
        lengths_(edge_lengths(mesh, wanted)),
        sharp_(sharp_vertices(mesh)),
        root_(mesh.vertices().size(), none),
        waiting_(mesh.segments().size(), 0),
        stuck_(mesh.segments().size(), 0) {}

  void run() {
    for (std::size_t c = 0; c < mesh_.cells().size(); ++c) look_at(static_cast<Index>(c));
    for (;;) {
      if (mesh_.vertices().size() > wanted_.most_points + 4) throw_too_many(wanted_.most_points);
      if (!split_.empty()) {
        const Index segment = split_.back();
        split_.pop_back();
        waiting_[segment] = 0;
        split(segment);
      } else if (!bad_[most_urgent_].empty()) {
        const Bad bad = bad_[most_urgent_].back();
        bad_[most_urgent_].pop_back();
        if (mesh_.cells()[bad.cell].corners == bad.corners) improve(bad);
      } else if (most_urgent_ > 0) {
        --most_urgent_;
      } else {
        return;
      }
    }
  }

 private:
  // A cell that is too large or too thin; outdated if its corners have changed.
  struct Bad {
    unsigned urgency;
    Index cell;
    Triangle corners;
  };

  double length_of(Index segment) const {
    const Segment& s = mesh_.segments()[segment];
    return distance(mesh_.at(s.a), mesh_.at(s.b));
  }
  bool may_split(Index segment) const {
    return stuck_[segment] == 0 && length_of(segment) >= 2 * wanted_.min_edge;
  }

  void ask_to_split(Index segment) {
    if (waiting_[segment] != 0) return;
    waiting_[segment] = 1;
    split_.push_back(segment);
  }

  // Queues a cell that needs refinement, and fixed edges that its corners encroach upon.
  void look_at(Index cell) {
    const Cell& c = mesh_.cells()[cell];
    if (!c.inside) return;
    const std::array<GridPoint, 3> p = mesh_.places(c);
    for (unsigned i = 0; i < 3; ++i) {
      if (c.segments[i] != none && dot_from(p[i], p[next(i)], p[previous(i)]) < 0 &&
          may_split(c.segments[i])) {
        ask_to_split(c.segments[i]);
      }
    }
    const Shape shape = shape_of(p);
    const unsigned urgency = urgency_of(c, shape);
    if (urgency > 0) add({urgency, cell, c.corners});
  }

  void add(const Bad& bad) {
    bad_[bad.urgency].push_back(bad);
    most_urgent_ = std::max(most_urgent_, bad.urgency);
  }

  // The priority: large triangles first, then thin ones starting with the smallest, in classes a
  // factor of sqrt(2) apart; 0: nothing to do. Within a class the last one added goes first, as it
  // is near the one before.
  unsigned urgency_of(const Cell& c, const Shape& shape) const {
    const auto level = [](double ratio) {
      return static_cast<unsigned>(std::clamp(2 * math::log2(ratio), 0.0, levels - 1.0));
    };
    const double allowed =
        (lengths_[c.corners[0]] + lengths_[c.corners[1]] + lengths_[c.corners[2]]) / 3;
    if (shape.radius < wanted_.min_edge) return 0;
    if (shape.longest > allowed) return least_of_large + level(shape.longest / allowed);
    return is_thin(c, shape) ? levels - level(shape.shortest / wanted_.min_edge) : 0;
  }

  bool is_thin(const Cell& c, const Shape& shape) const {
    // The final corners may differ by up to half a step, which may reduce the angle.
    if (shape.shortest >= 2 * shape.radius * sine_ + 4) return false;
    // An angle between two fixed edges cannot be improved.
    if (c.segments[next(shape.apex)] != none && c.segments[previous(shape.apex)] != none) {
      return false;
    }
    return !lies_across_a_sharp_vertex(c.corners[next(shape.apex)],
                                       c.corners[previous(shape.apex)]);
  }

  // Two vertices at the same distance along the two legs of a sharp angle: an edge that is as short
  // as the angle is small, which more vertices would only repeat (Miller, Pav and Walkington 2003).
  bool lies_across_a_sharp_vertex(Index u, Index v) const {
    if (root_[u] == none || root_[v] == none || root_[u] == root_[v]) return false;
    const Segment &r = mesh_.segments()[root_[u]], &s = mesh_.segments()[root_[v]];
    for (const Index z : {r.a, r.b}) {
      if ((z != s.a && z != s.b) || sharp_[z] == 0) continue;
      const double to_u = distance(mesh_.at(z), mesh_.at(u));
      const double to_v = distance(mesh_.at(z), mesh_.at(v));
      if (std::fabs(to_u - to_v) < 4 + 1e-3 * to_u) return true;
    }
    return false;
  }

  void note_vertex(Index v, Index root) {
    double length = wanted_.max_edge;
    mesh_.around(v, [&](Index cell, unsigned i) {
      const Cell& c = mesh_.cells()[cell];
      if (!c.inside) return;
      for (const Index u : {c.corners[next(i)], c.corners[previous(i)]}) {
        const double way = distance(mesh_.at(u), mesh_.at(v));
        length = std::min(length, lengths_[u] + wanted_.grading * way);
      }
    });
    lengths_.push_back(length);
    root_.push_back(root);
    sharp_.push_back(0);
    waiting_.resize(mesh_.segments().size(), 0);
    stuck_.resize(mesh_.segments().size(), 0);
    mesh_.around(v, [&](Index cell, unsigned) { look_at(cell); });
  }

  // Where to split a fixed edge: in the middle, or at a power of two from a sharp vertex, so that
  // all edges at that vertex are split at the same distances (concentric shells).
  GridPoint place_on(const Segment& s) const {
    Index from = s.a, to = s.b;
    if (sharp_[to] != 0) std::swap(from, to);
    const double length = distance(mesh_.at(from), mesh_.at(to));
    double part = 0.5;
    if (sharp_[from] != 0 && sharp_[to] == 0) {
      const double shell = math::exp2(std::round(math::log2(length / 2)));
      if (std::min(shell, length - shell) >= wanted_.min_edge) part = shell / length;
    }
    const Vec2 a = to_vec(mesh_.at(from)), b = to_vec(mesh_.at(to));
    // On the input's line, so that rounding errors do not accumulate.
    const Segment& line = mesh_.segments()[s.line];
    const Vec2 start = to_vec(mesh_.at(line.a)), way = to_vec(mesh_.at(line.b)) - start;
    const Vec2 there = a + (b - a) * part - start;
    const double t = (there.x * way.x + there.y * way.y) / (way.x * way.x + way.y * way.y);
    return rounded(start + way * t);
  }

  void split(Index id) {
    const Segment& s = mesh_.segments()[id];
    const Index root = s.root;
    if (!s.children.empty()) return;
    const GridPoint p = place_on(s), a = mesh_.at(s.a), b = mesh_.at(s.b);
    const Edge edge = mesh_.find(s.a, s.b);
    const GridPoint left = mesh_.at(mesh_.across(edge));
    const GridPoint right = mesh_.at(mesh_.across(mesh_.twin(edge)));
    if (orient(a, p, left) <= 0 || orient(p, b, left) <= 0 || orient(p, a, right) <= 0 ||
        orient(b, p, right) <= 0) {
      stuck_[id] = 1;
      return;
    }
    note_vertex(mesh_.split(edge, p), root);
  }

  // Inserts the circumcenter, where no vertex is near.
  static GridPoint place_in(const std::array<GridPoint, 3>& p, const Shape& shape) {
    // The circumcenter may be far away, but everything on the way to it lies within the circle.
    const Vec2 here = (to_vec(p[next(shape.apex)]) + to_vec(p[previous(shape.apex)])) * 0.5;
    const Vec2 way = shape.center - here;
    const double most = std::max(std::fabs(way.x), std::fabs(way.y)), limit = 0x1p22;
    return rounded(most > limit ? here + way * (limit / most) : shape.center);
  }

  void improve(const Bad& bad) {
    const std::array<GridPoint, 3> corners = mesh_.places(mesh_.cells()[bad.cell]);
    const GridPoint p = place_in(corners, shape_of(corners));
    const Triangulation::Location place = mesh_.locate(p, bad.cell, true);
    if (place.blocked.cell != none) {
      make_room({mesh_.segment(place.blocked)}, bad);
      return;
    }
    if (place.on == Triangulation::On::corner) return;
    if (place.on == Triangulation::On::edge) {
      const Index segment = mesh_.segment({place.cell, place.i});
      if (segment != none) {
        make_room({segment}, bad);
        return;
      }
    }
    const std::vector<Index> encroached = segments_near(p, place.cell);
    if (!encroached.empty()) {
      make_room(encroached, bad);
      return;
    }
    note_vertex(mesh_.insert(p, place), none);
  }

  // Splits these edges instead and queues the cell again; gives up if none can be split.
  void make_room(const std::vector<Index>& segments, const Bad& bad) {
    bool any = false;
    for (const Index segment : segments) {
      if (!may_split(segment)) continue;
      ask_to_split(segment);
      any = true;
    }
    if (any) add(bad);
  }

  // The fixed edges that a vertex here would encroach upon (that it sees at more than a right
  // angle).
  std::vector<Index> segments_near(GridPoint p, Index start) {
    std::vector<Index> found;
    reached_ = {start};
    reached_for_.resize(mesh_.cells().size(), none);
    const auto vertex = static_cast<Index>(mesh_.vertices().size());
    reached_for_[start] = vertex;
    for (std::size_t next_one = 0; next_one < reached_.size(); ++next_one) {
      const Cell& c = mesh_.cells()[reached_[next_one]];
      const std::array<GridPoint, 3> q = mesh_.places(c);
      for (unsigned i = 0; i < 3; ++i) {
        if (c.segments[i] != none) {
          const GridPoint a = q[next(i)], b = q[previous(i)];
          if (dot_from(p, a, b) < 0) found.push_back(c.segments[i]);
          continue;
        }
        const Index n = c.neighbors[i];
        if (reached_for_[n] == vertex) continue;
        const std::array<GridPoint, 3> r = mesh_.places(mesh_.cells()[n]);
        if (!in_circle(r[0], r[1], r[2], p)) continue;
        reached_for_[n] = vertex;
        reached_.push_back(n);
      }
    }
    return found;
  }

  Triangulation& mesh_;
  Refinement wanted_;
  double sine_;
  std::vector<double> lengths_;        // by vertex
  std::vector<std::uint8_t> sharp_;    // by vertex
  std::vector<Index> root_;            // by vertex: what it was put on
  std::vector<std::uint8_t> waiting_;  // by segment: it is among those to be split
  std::vector<std::uint8_t> stuck_;    // by segment: the grid has no place for its middle
  std::vector<Index> split_;
  std::array<std::vector<Bad>, least_of_large + levels> bad_;  // by urgency
  unsigned most_urgent_ = 0;
  std::vector<Index> reached_;
  std::vector<Index> reached_for_;  // by cell: the search that it was last among those reached
};

}  // namespace

void throw_too_many(std::size_t most) {
  throw InputError("mesh", fmt::format("needs more than {} points; allow longer edges, a coarser "
                                       "outline, or more points",
                                       most));
}

void refine(Triangulation& mesh, const Refinement& wanted) { Refiner(mesh, wanted).run(); }

}  // namespace sinew::plane
