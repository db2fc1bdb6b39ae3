// SPDX-License-Identifier: Apache-2.0
#include "sinew/plane/detail/constrain.h"

#include <algorithm>
#include <optional>

namespace sinew::plane {
namespace {

// A piece still to be inserted, as one or several edges, children of `owner`.
struct Piece {
  Index a, b, owner;
};

// What lies between the ends of a piece: a vertex that it passes through, or a fixed edge that it
// crosses, or else the cells that it crosses and the vertices on either side, from end to end.
struct Between {
  Index vertex = none;
  Edge crossed;
  std::vector<Index> cells, left, right;
};

const Segment& line_of(const Triangulation& mesh, Index segment) {
  return mesh.segments()[mesh.segments()[segment].line];
}

// Where the lines through a, b and through c, d meet, rounded; a and b are on different sides of
// the latter.
GridPoint crossing(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
  const auto before = static_cast<double>(orient(c, d, a));
  const auto after = static_cast<double>(orient(c, d, b));
  return rounded(to_vec(a) + (to_vec(b) - to_vec(a)) * (before / (before - after)));
}

bool is_within_circle_over(const Triangulation& mesh, Index a, Index b, Index v) {
  return v != a && v != b && dot_from(mesh.at(v), mesh.at(a), mesh.at(b)) <= 0;
}

// A vertex that a piece of the segment goes through: no farther from it than a step.
bool is_on(const Triangulation& mesh, const Piece& piece, Index v) {
  if (!is_within_circle_over(mesh, piece.a, piece.b, v)) return false;
  if (orient(mesh.at(piece.a), mesh.at(piece.b), mesh.at(v)) == 0) return true;
  const Segment& whole = line_of(mesh, piece.owner);
  const GridPoint a = mesh.at(whole.a), b = mesh.at(whole.b);
  return std::fabs(static_cast<double>(orient(a, b, mesh.at(v)))) <= distance(a, b);
}

Between look_along(const Triangulation& mesh, const Piece& piece) {
  const GridPoint a = mesh.at(piece.a), b = mesh.at(piece.b);
  Between found;
  Edge way;
  mesh.around(piece.a, [&](Index cell, unsigned i) {
    const Index right = mesh.cells()[cell].corners[next(i)];
    const Index left = mesh.cells()[cell].corners[previous(i)];
    if (found.vertex == none && is_on(mesh, piece, right)) found.vertex = right;
    if (orient(a, mesh.at(right), b) > 0 && orient(a, mesh.at(left), b) < 0) way = {cell, i};
  });
  if (found.vertex != none) return found;

  found.cells = {way.cell};
  found.right = {mesh.from(way)};
  found.left = {mesh.to(way)};
  for (;;) {
    if (found.crossed.cell == none && mesh.segment(way) != none) found.crossed = way;
    way = mesh.twin(way);
    found.cells.push_back(way.cell);
    const Index v = mesh.across(way);
    if (v == piece.b) return found;
    if (is_on(mesh, piece, v)) {
      found.vertex = v;
      return found;
    }
    // The twin runs from the left to the right.
    if (orient(a, b, mesh.at(v)) > 0) {
      found.left.push_back(v);
      way = {way.cell, next(way.i)};
    } else {
      found.right.push_back(v);
      way = {way.cell, previous(way.i)};
    }
  }
}

// The Delaunay triangles between the edge from `a` to `b` and a chain of vertices left of it
// (Anglada 1997).
void fill(const Triangulation& mesh, Index a, Index b, const std::vector<Index>& chain,
          std::vector<Triangle>& triangles) {
  struct Gap {
    Index a, b;
    std::size_t first, last;
  };
  std::vector<Gap> gaps = {{a, b, 0, chain.size()}};
  while (!gaps.empty()) {
    const Gap gap = gaps.back();
    gaps.pop_back();
    if (gap.first == gap.last) continue;
    std::size_t best = gap.first;
    for (std::size_t i = gap.first + 1; i < gap.last; ++i) {
      if (in_circle(mesh.at(gap.a), mesh.at(gap.b), mesh.at(chain[best]), mesh.at(chain[i]))) {
        best = i;
      }
    }
    triangles.push_back({gap.a, gap.b, chain[best]});
    gaps.push_back({gap.a, chain[best], gap.first, best});
    gaps.push_back({chain[best], gap.b, best + 1, gap.last});
  }
}

class Fixer {
 public:
  explicit Fixer(Triangulation& mesh) : mesh_(mesh) {}

  void fix(const Piece& whole) {
    pieces_ = {whole};
    while (!pieces_.empty()) {
      const Piece piece = pieces_.back();
      pieces_.pop_back();
      if (piece.a == piece.b) continue;
      if (const Edge edge = mesh_.find(piece.a, piece.b); edge.cell != none) {
        attach(edge, piece);
        continue;
      }
      Between between = look_along(mesh_, piece);
      if (between.vertex != none) {
        go_through(piece, between.vertex);
      } else if (between.crossed.cell != none) {
        cross(piece, between.crossed);
      } else {
        make_way(piece, between);
        attach(mesh_.find(piece.a, piece.b), piece);
      }
    }
  }

 private:
  // Pieces are popped from the back, so those of one owner are inserted in order from its first
  // end.
  void go_through(const Piece& piece, Index v) {
    pieces_.push_back({v, piece.b, piece.owner});
    pieces_.push_back({piece.a, v, piece.owner});
  }

  void attach(Edge edge, const Piece& piece) {
    Index id = mesh_.segment(edge);
    if (id == none) {
      id = static_cast<Index>(mesh_.segments().size());
      const Index line = mesh_.segments()[piece.owner].line;
      mesh_.segments().push_back({piece.a, piece.b, none, line, false, {}});
      mesh_.set_segment(edge, id);
    }
    Segment& segment = mesh_.segments()[id];
    segment.outline = segment.outline != mesh_.segments()[piece.owner].outline;
    mesh_.segments()[piece.owner].children.push_back(id);
  }

  void make_way(const Piece& piece, Between& between) {
    std::vector<Triangle> triangles;
    fill(mesh_, piece.a, piece.b, between.left, triangles);
    std::reverse(between.right.begin(), between.right.end());
    fill(mesh_, piece.b, piece.a, between.right, triangles);
    mesh_.replace(between.cells, triangles);
  }

  void release(Edge edge) {
    const Piece ends{mesh_.from(edge), mesh_.to(edge), none};
    mesh_.set_segment(edge, none);
    mesh_.restore(mesh_.find(ends.a, ends.b));
  }

  void cross(const Piece& piece, Edge edge) {
    const Index id = mesh_.segment(edge);
    const Segment& other = mesh_.segments()[id];
    const Piece crossed{other.a, other.b, id};
    const GridPoint a = mesh_.at(piece.a), b = mesh_.at(piece.b), c = mesh_.at(crossed.a),
                    d = mesh_.at(crossed.b);
    const auto splits_both = [&](GridPoint p) {
      return p != a && p != b && p != c && p != d && dot_from(p, a, b) <= 0 &&
             dot_from(p, c, d) <= 0;
    };
    GridPoint p = crossing(a, b, c, d);
    // Prefer the crossing of the original lines, so that rounding errors do not accumulate.
    const Segment &first = line_of(mesh_, piece.owner), &second = line_of(mesh_, id);
    const std::array<GridPoint, 4> ends = {mesh_.at(first.a), mesh_.at(first.b), mesh_.at(second.a),
                                           mesh_.at(second.b)};
    if ((orient(ends[2], ends[3], ends[0]) > 0) != (orient(ends[2], ends[3], ends[1]) > 0)) {
      const GridPoint q = crossing(ends[0], ends[1], ends[2], ends[3]);
      if (splits_both(q)) p = q;
    }
    if (splits_both(p)) {
      const Index v = mesh_.insert(p, edge.cell);
      // It may have split the edge.
      if (const Edge old = mesh_.find(crossed.a, crossed.b);
          old.cell != none && mesh_.segment(old) == id) {
        release(old);
        go_through(crossed, v);
      }
      go_through(piece, v);
      return;
    }
    // Of the four angles of the quadrilateral of the ends, one is not below a right angle.
    Index nearest = none;
    for (const Index v : {piece.a, piece.b, crossed.a, crossed.b}) {
      if (!is_within_circle_over(mesh_, piece.a, piece.b, v) &&
          !is_within_circle_over(mesh_, crossed.a, crossed.b, v)) {
        continue;
      }
      if (nearest == none ||
          squared_distance(mesh_.at(v), p) < squared_distance(mesh_.at(nearest), p)) {
        nearest = v;
      }
    }
    if (nearest == crossed.a || nearest == crossed.b) {
      go_through(piece, nearest);
      return;
    }
    release(edge);
    pieces_.push_back(piece);
    go_through(crossed, nearest);
  }

  Triangulation& mesh_;
  std::vector<Piece> pieces_;
};

}  // namespace

Index fix_segment(Triangulation& mesh, Index a, Index b, bool outline) {
  const auto id = static_cast<Index>(mesh.segments().size());
  mesh.segments().push_back({a, b, none, id, outline, {}});
  Fixer(mesh).fix({a, b, id});
  return id;
}

}  // namespace sinew::plane
