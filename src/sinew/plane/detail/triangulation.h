// SPDX-License-Identifier: Apache-2.0
// An incremental constrained Delaunay triangulation of a box: no vertex lies within the
// circumcircle of a triangle, unless fixed edges hide it from the triangle.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/plane/detail/grid.h"

namespace sinew::plane {

inline constexpr Index none = std::numeric_limits<Index>::max();

constexpr unsigned next(unsigned i) { return i == 2 ? 0 : i + 1; }
constexpr unsigned previous(unsigned i) { return i == 0 ? 2 : i - 1; }

// Edge i is opposite to corner i, and runs from corner next(i) to corner previous(i).
struct Cell {
  Triangle corners{};  // counter-clockwise
  std::array<Index, 3> neighbors{none, none, none};
  std::array<Index, 3> segments{none, none, none};  // of fixed edges; `none` for others
  bool inside = false;
};

struct Edge {
  Index cell = none;
  unsigned i = 0;
};

// A fixed edge, or one that has been split: then its children replace it, from one end to the
// other, some of them possibly reversed. One edge may be part of several segments.
struct Segment {
  Index a = none, b = none;
  Index root = none;     // the segment it was split from in refinement; itself if none
  Index line = none;     // the segment of the input that it lies on, up to rounding
  bool outline = false;  // separates inside from outside
  std::vector<Index> children;
};

class Triangulation {
 public:
  // The four corners of the box are vertices 0 to 3. All others must lie inside it.
  Triangulation(GridPoint low, GridPoint high);

  const std::vector<GridPoint>& vertices() const { return vertices_; }
  GridPoint at(Index vertex) const { return vertices_[vertex]; }
  const std::vector<Cell>& cells() const { return cells_; }
  std::vector<Cell>& cells() { return cells_; }
  const std::vector<Segment>& segments() const { return segments_; }
  std::vector<Segment>& segments() { return segments_; }

  std::array<GridPoint, 3> places(const Cell& cell) const {
    return {at(cell.corners[0]), at(cell.corners[1]), at(cell.corners[2])};
  }
  Index from(Edge e) const { return cells_[e.cell].corners[next(e.i)]; }
  Index to(Edge e) const { return cells_[e.cell].corners[previous(e.i)]; }
  Index across(Edge e) const { return cells_[e.cell].corners[e.i]; }
  Index segment(Edge e) const { return cells_[e.cell].segments[e.i]; }
  // The same edge seen from its other side; its cell is `none` on the border of the box.
  Edge twin(Edge e) const;
  // The edge from `a` to `b`, seen from its left; its cell is `none` if there is no such edge. `a`
  // must not be a corner of the box.
  Edge find(Index a, Index b) const;

  // Calls f(cell, i) for each cell around the vertex, counter-clockwise; the vertex is corner i of
  // the cell. The vertex must not be a corner of the box.
  template <class F>
  void around(Index vertex, F&& f) const {
    const Index first = cell_of_[vertex];
    Index cell = first;
    do {
      const unsigned i = corner(cell, vertex);
      f(cell, i);
      cell = cells_[cell].neighbors[next(i)];
    } while (cell != first);
  }

  // Where a point lies: inside a cell, on its edge, or on its corner.
  enum class On { cell, edge, corner };
  struct Location {
    Index cell = none;
    On on = On::cell;
    unsigned i = 0;
    Edge blocked;  // the fixed edge that stopped the walk; the rest is then undefined
  };
  // Walks to p from the cell `start`, each time across an edge that has p on its other side. If
  // there are two such edges it takes a random one, so that it cannot walk in circles for ever
  // (Devillers et al. 2002). With `stop`, it ends where it could only go on across a fixed edge.
  Location locate(GridPoint p, Index start, bool stop) const;

  // The vertex at p; inserts one if there is none.
  Index insert(GridPoint p, Index near);
  // Inserts a vertex into a cell or on an edge.
  Index insert(GridPoint p, const Location& place);
  // Inserts a vertex that splits an edge. It may lie beside the edge if all four triangles keep a
  // positive area.
  Index split(Edge edge, GridPoint p);

  // One of the cells at the vertex.
  Index cell_at(Index vertex) const { return cell_of_[vertex]; }

  // Fixes an edge, or releases it (`none`).
  void set_segment(Edge edge, Index segment);
  // Flips edges that are not Delaunay, starting with this one.
  void restore(Edge edge);

  // Replaces the cells by as many triangles that cover the same area.
  void replace(const std::vector<Index>& cells, const std::vector<Triangle>& triangles);

 private:
  unsigned corner(Index cell, Index vertex) const {
    const Triangle& c = cells_[cell].corners;
    return c[0] == vertex ? 0 : c[1] == vertex ? 1 : 2;
  }
  void set(Index cell, const Triangle& corners, const std::array<Index, 3>& neighbors,
           const std::array<Index, 3>& segments);
  void relink(Index neighbor, Index from, Index to);
  bool is_delaunay(Edge edge) const;
  void flip(Edge edge);
  void restore_around(std::vector<Index>& cells);

  std::vector<GridPoint> vertices_;
  std::vector<Index> cell_of_;  // by vertex
  std::vector<Cell> cells_;
  std::vector<Segment> segments_;
};

}  // namespace sinew::plane
