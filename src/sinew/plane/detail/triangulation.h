// SPDX-License-Identifier: Apache-2.0
// A triangulation of a box that grows by vertices and stays Delaunay: no vertex lies within the
// circle of a triangle that can see it, past the edges that are held fixed.
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
  std::array<Index, 3> segments{none, none, none};  // what holds the edges fixed
  bool inside = false;
};

struct Edge {
  Index cell = none;
  unsigned i = 0;
};

// A fixed edge, or one that was until it was split: then its children, from one end to the other,
// stand for it, some of them perhaps the other way round. The same edge may be part of several.
struct Segment {
  Index a = none, b = none;
  Index root = none;     // what it was split from while refining; itself where it was not
  Index line = none;     // the segment that it was first a part of, and lies on but for roundings
  bool outline = false;  // parts inside from outside
  std::vector<Index> children;
};

class Triangulation {
 public:
  // The four corners of the box are vertices 0 to 3. All others must lie within.
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
  // The same edge seen from the other side; its cell is `none` at the box.
  Edge twin(Edge e) const;
  // From `a` to `b`, seen from the left; its cell is `none` where there is no such edge. `a` is not
  // a corner of the box.
  Edge find(Index a, Index b) const;

  // Calls f(cell, i) for each cell around a vertex that is no corner of the box, counter-clockwise;
  // the vertex is its corner i.
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

  // Where a place is: in a cell, or on its edge or corner.
  enum class On { cell, edge, corner };
  struct Place {
    Index cell = none;
    On on = On::cell;
    unsigned i = 0;
    Edge blocked;  // the walk would have had to cross this fixed edge; the rest means nothing
  };
  // Walks there from a cell, always across an edge that has the place on its other side; where
  // there are two of them, across a random one, so that the walk cannot go in circles for ever
  // (Devillers et al. 2002). With `stop`, it ends at the fixed edge where only such a one leads on.
  Place locate(GridPoint p, Index start, bool stop) const;

  // The vertex at a place; a new one if there is none.
  Index insert(GridPoint p, Index near);
  // A new one, in a cell or on an edge.
  Index insert(GridPoint p, const Place& place);
  // A new one that splits an edge; it may lie beside it if all four triangles keep an area.
  Index split(Edge edge, GridPoint p);

  // Some cell at the vertex.
  Index cell_at(Index vertex) const { return cell_of_[vertex]; }

  // Holds an edge fixed, or no longer.
  void set_segment(Edge edge, Index segment);
  // Flips what is not Delaunay, from this edge on.
  void restore(Edge edge);

  // Puts other triangles in place of these cells, which cover the same area with as many.
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
