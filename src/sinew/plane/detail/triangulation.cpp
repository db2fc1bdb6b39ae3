// SPDX-License-Identifier: Apache-2.0
#include "sinew/plane/detail/triangulation.h"

#include <algorithm>

namespace sinew::plane {

Triangulation::Triangulation(GridPoint low, GridPoint high)
    : vertices_{low, {high.x, low.y}, high, {low.x, high.y}}, cell_of_(4), cells_(2) {
  set(0, {0, 1, 2}, {none, 1, none}, {none, none, none});
  set(1, {0, 2, 3}, {none, none, 0}, {none, none, none});
}

Edge Triangulation::twin(Edge e) const {
  const Index other = cells_[e.cell].neighbors[e.i];
  if (other == none) return {};
  return {other, next(corner(other, from(e)))};
}

Edge Triangulation::find(Index a, Index b) const {
  Edge found;
  around(a, [&](Index cell, unsigned i) {
    if (cells_[cell].corners[next(i)] == b) found = {cell, previous(i)};
  });
  return found;
}

void Triangulation::set(Index cell, const Triangle& corners, const std::array<Index, 3>& neighbors,
                        const std::array<Index, 3>& segments) {
  cells_[cell].corners = corners;
  cells_[cell].neighbors = neighbors;
  cells_[cell].segments = segments;
  for (const Index v : corners) cell_of_[v] = cell;
}

void Triangulation::relink(Index neighbor, Index from, Index to) {
  if (neighbor == none) return;
  for (Index& n : cells_[neighbor].neighbors) {
    if (n == from) n = to;
  }
}

Triangulation::Location Triangulation::locate(GridPoint p, Index start, bool stop) const {
  Index cell = start;
  std::uint32_t chance = 1;
  for (;;) {
    const Cell& c = cells_[cell];
    const std::array<GridPoint, 3> q = places(c);
    int zeros = 0;
    unsigned zero = 0;
    Index onward = none;
    Edge fixed;
    chance = chance * 1664525u + 1013904223u;
    const unsigned first = (chance >> 16) % 3;
    for (unsigned k = 0; k < 3 && onward == none; ++k) {
      const unsigned i = (first + k) % 3;
      const std::int64_t side = orient(q[next(i)], q[previous(i)], p);
      if (side == 0) {
        // Two of these meet in a corner, opposite to the edge that is left.
        zero = zeros == 0 ? i : 3 - zero - i;
        ++zeros;
      } else if (side < 0) {
        if (stop && c.segments[i] != none) {
          fixed = {cell, i};
        } else {
          onward = c.neighbors[i];
        }
      }
    }
    if (onward == none && fixed.cell != none) return {cell, On::cell, 0, fixed};
    if (onward == none) {
      return {cell, zeros == 0 ? On::cell : zeros == 1 ? On::edge : On::corner, zero, {}};
    }
    cell = onward;
  }
}

Index Triangulation::insert(GridPoint p, Index near) {
  const Location place = locate(p, near, false);
  if (place.on == On::corner) return cells_[place.cell].corners[place.i];
  return insert(p, place);
}

Index Triangulation::insert(GridPoint p, const Location& place) {
  if (place.on == On::edge) return split({place.cell, place.i}, p);
  const auto v = static_cast<Index>(vertices_.size());
  vertices_.push_back(p);
  cell_of_.push_back(place.cell);

  const Cell old = cells_[place.cell];
  const auto first = static_cast<Index>(cells_.size());
  cells_.resize(cells_.size() + 2, old);
  const std::array<Index, 3> cell = {place.cell, first, first + 1};
  for (unsigned i = 0; i < 3; ++i) {
    relink(old.neighbors[i], place.cell, cell[i]);
    set(cell[i], {v, old.corners[next(i)], old.corners[previous(i)]},
        {old.neighbors[i], cell[next(i)], cell[previous(i)]}, {old.segments[i], none, none});
  }
  std::vector<Index> changed(cell.begin(), cell.end());
  restore_around(changed);
  return v;
}

Index Triangulation::split(Edge edge, GridPoint p) {
  const auto v = static_cast<Index>(vertices_.size());
  vertices_.push_back(p);
  cell_of_.push_back(edge.cell);

  const Index a = from(edge), b = to(edge), whole = segment(edge);
  std::array<Index, 2> halves = {none, none};
  if (whole != none) {
    const auto first = static_cast<Index>(segments_.size());
    halves = {first, first + 1};
    const Segment parent = segments_[whole];
    segments_.push_back({a, v, parent.root, parent.line, parent.outline, {}});
    segments_.push_back({v, b, parent.root, parent.line, parent.outline, {}});
    segments_[whole].children =
        parent.a == a ? std::vector<Index>{first, first + 1} : std::vector<Index>{first + 1, first};
  }

  // On each side, the cell keeps the half at the edge's first end as seen from there.
  const Edge other = twin(edge);
  const std::array<Edge, 2> side = {edge, other};
  const std::array<Cell, 2> old = {cells_[edge.cell], cells_[other.cell]};
  const auto first = static_cast<Index>(cells_.size());
  cells_.push_back(old[0]);
  cells_.push_back(old[1]);
  const std::array<Index, 2> added = {first, first + 1};
  std::vector<Index> changed;
  for (unsigned s = 0; s < 2; ++s) {
    const Cell& c = old[s];
    const unsigned top = side[s].i, start = next(top), end = previous(top);
    const Index kept_half = halves[s], added_half = halves[1 - s];
    relink(c.neighbors[start], side[s].cell, added[s]);
    set(side[s].cell, {v, c.corners[top], c.corners[start]},
        {c.neighbors[end], added[1 - s], added[s]}, {c.segments[end], kept_half, none});
    set(added[s], {v, c.corners[end], c.corners[top]},
        {c.neighbors[start], side[s].cell, side[1 - s].cell},
        {c.segments[start], none, added_half});
    changed.insert(changed.end(), {side[s].cell, added[s]});
  }
  restore_around(changed);
  return v;
}

bool Triangulation::is_delaunay(Edge edge) const {
  const Cell& c = cells_[edge.cell];
  if (c.neighbors[edge.i] == none || c.segments[edge.i] != none) return true;
  const std::array<GridPoint, 3> q = places(c);
  return !in_circle(q[0], q[1], q[2], at(across(twin(edge))));
}

// The cell of the edge has the edge's first end afterwards, its neighbour the other.
void Triangulation::flip(Edge edge) {
  const Edge other = twin(edge);
  const Cell c = cells_[edge.cell], d = cells_[other.cell];
  const unsigned top = edge.i, bottom = other.i;
  const Index p = c.corners[top], q = d.corners[bottom], a = from(edge), b = to(edge);
  relink(c.neighbors[next(top)], edge.cell, other.cell);
  relink(d.neighbors[next(bottom)], other.cell, edge.cell);
  set(edge.cell, {p, a, q}, {d.neighbors[next(bottom)], other.cell, c.neighbors[previous(top)]},
      {d.segments[next(bottom)], none, c.segments[previous(top)]});
  set(other.cell, {p, q, b}, {d.neighbors[previous(bottom)], c.neighbors[next(top)], edge.cell},
      {d.segments[previous(bottom)], c.segments[next(top)], none});
}

// The new vertex is the first corner of all cells that change.
void Triangulation::restore_around(std::vector<Index>& cells) {
  while (!cells.empty()) {
    const Edge edge{cells.back(), 0};
    if (is_delaunay(edge)) {
      cells.pop_back();
    } else {
      cells.push_back(cells_[edge.cell].neighbors[0]);
      flip(edge);
    }
  }
}

void Triangulation::restore(Edge edge) {
  std::vector<std::array<Index, 2>> edges = {{from(edge), to(edge)}};
  while (!edges.empty()) {
    const Edge e = find(edges.back()[0], edges.back()[1]);
    edges.pop_back();
    if (e.cell == none || is_delaunay(e)) continue;
    const Index other = cells_[e.cell].neighbors[e.i];
    flip(e);
    for (const Edge outer : {Edge{e.cell, 0}, Edge{e.cell, 2}, Edge{other, 0}, Edge{other, 1}}) {
      // Edges of the box cannot be flipped, and its corners have no cells all around.
      if (from(outer) > 3) {
        edges.push_back({from(outer), to(outer)});
      } else if (to(outer) > 3) {
        edges.push_back({to(outer), from(outer)});
      }
    }
  }
}

void Triangulation::set_segment(Edge edge, Index segment) {
  cells_[edge.cell].segments[edge.i] = segment;
  const Edge other = twin(edge);
  if (other.cell != none) cells_[other.cell].segments[other.i] = segment;
}

void Triangulation::replace(const std::vector<Index>& cells,
                            const std::vector<Triangle>& triangles) {
  struct Side {
    Index from, to, cell, segment;
    bool operator<(const Side& other) const {
      return from != other.from ? from < other.from : to < other.to;
    }
  };
  std::vector<Index> removed = cells;
  std::sort(removed.begin(), removed.end());
  std::vector<Side> before, after;
  for (const Index cell : cells) {
    for (unsigned i = 0; i < 3; ++i) {
      const Index n = cells_[cell].neighbors[i];
      const bool within = std::binary_search(removed.begin(), removed.end(), n);
      before.push_back(
          {from({cell, i}), to({cell, i}), within ? none : n, cells_[cell].segments[i]});
    }
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (unsigned i = 0; i < 3; ++i) {
      after.push_back({triangles[t][next(i)], triangles[t][previous(i)], cells[t], none});
    }
  }
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  const auto found = [](const std::vector<Side>& sides, Index u, Index v) -> const Side* {
    const auto place = std::lower_bound(sides.begin(), sides.end(), Side{u, v, none, none});
    return place != sides.end() && place->from == u && place->to == v ? &*place : nullptr;
  };

  for (std::size_t t = 0; t < triangles.size(); ++t) {
    std::array<Index, 3> neighbors{none, none, none}, segments{none, none, none};
    for (unsigned i = 0; i < 3; ++i) {
      const Index u = triangles[t][next(i)], v = triangles[t][previous(i)];
      const Side* old = found(before, u, v);
      if (old != nullptr) segments[i] = old->segment;
      if (old != nullptr && old->cell != none) {
        neighbors[i] = old->cell;
        const Cell& outer = cells_[old->cell];
        const unsigned j = outer.corners[0] == v ? 2 : outer.corners[1] == v ? 0 : 1;
        cells_[old->cell].neighbors[j] = cells[t];
      } else if (const Side* facing = found(after, v, u); facing != nullptr) {
        neighbors[i] = facing->cell;
      }
    }
    set(cells[t], triangles[t], neighbors, segments);
  }
}

}  // namespace sinew::plane
