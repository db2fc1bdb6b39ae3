// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/laplacian.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/core/math.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

// Side s of face f is number 3 f + s and runs from corner s to the next one.
using Side = std::uint32_t;

Side next(Side side) { return side % 3 == 2 ? side - 2 : side + 1; }
Side previous(Side side) { return side % 3 == 0 ? side + 2 : side - 1; }

// A closed surface given by edge lengths only. Each side is glued to one of opposite direction.
struct Intrinsic {
  std::vector<Index> from;  // the vertex that a side starts at
  std::vector<double> length;
  std::vector<Side> twin;

  double area(Side side) const {
    std::array<double, 3> l = {length[side], length[next(side)], length[previous(side)]};
    std::sort(l.begin(), l.end());
    // Heron's formula in Kahan's order of operations, which is accurate for needles.
    const double product = (l[2] + (l[1] + l[0])) * (l[0] - (l[2] - l[1])) *
                           (l[0] + (l[2] - l[1])) * (l[2] + (l[1] - l[0]));
    return 0.25 * std::sqrt(std::max(product, 0.0));
  }
  // The cotangent of the angle opposite to the side.
  double cotangent(Side side) const {
    const double a = length[side];
    const double b = length[next(side)];
    const double c = length[previous(side)];
    return (b * b + c * c - a * a) / (4 * area(side));
  }
};

bool has_three_corners(const Triangle& t) { return t[0] != t[1] && t[1] != t[2] && t[2] != t[0]; }

// The sides of all triangles, sorted by their lower and then their higher vertex; ties in order.
struct SortedSides {
  struct Entry {
    Index low, high;
    Side side;
  };
  std::vector<Entry> entries;
  std::vector<std::size_t> groups;  // where each edge begins, and the end

  SortedSides(const Intrinsic& surface, std::size_t vertex_count) {
    std::vector<std::size_t> starts(vertex_count + 1, 0);
    const auto low_of = [&](Side s) { return std::min(surface.from[s], surface.from[next(s)]); };
    const auto high_of = [&](Side s) { return std::max(surface.from[s], surface.from[next(s)]); };
    const auto count = static_cast<Side>(surface.from.size());
    for (Side s = 0; s < count; ++s) ++starts[low_of(s) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    entries.resize(count);
    std::vector<std::size_t> place(starts.begin(), starts.end() - 1);
    for (Side s = 0; s < count; ++s) entries[place[low_of(s)]++] = {low_of(s), high_of(s), s};
    for (std::size_t v = 0; v < vertex_count; ++v) {
      std::sort(entries.begin() + static_cast<std::ptrdiff_t>(starts[v]),
                entries.begin() + static_cast<std::ptrdiff_t>(starts[v + 1]),
                [](const Entry& a, const Entry& b) {
                  return a.high != b.high ? a.high < b.high : a.side < b.side;
                });
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i == 0 || entries[i].low != entries[i - 1].low ||
          entries[i].high != entries[i - 1].high) {
        groups.push_back(i);
      }
    }
    groups.push_back(entries.size());
  }
};

// Glues sides without a second sheet: possible if each edge has two triangles that traverse it in
// opposite directions.
bool glue_closed(const SortedSides& sorted, Intrinsic& surface) {
  surface.twin.resize(surface.from.size());
  for (std::size_t g = 0; g + 1 < sorted.groups.size(); ++g) {
    const std::size_t first = sorted.groups[g];
    if (sorted.groups[g + 1] - first != 2) return false;
    const Side a = sorted.entries[first].side;
    const Side b = sorted.entries[first + 1].side;
    if (surface.from[a] == surface.from[b]) return false;
    surface.twin[a] = b;
    surface.twin[b] = a;
  }
  return true;
}

// Every face gets a back, turned around. At each edge, the sheet of one face that runs from the
// lower to the higher vertex is glued to that of the next face that runs the other way.
void glue_tufted(const SortedSides& sorted, Intrinsic& surface) {
  const auto fronts = static_cast<Side>(surface.from.size());
  // The back of corners 0 1 2 is 0 2 1: its sides are those of the front in reverse order.
  const auto back = [&](Side s) { return fronts + s - s % 3 + (2 - s % 3); };
  surface.from.resize(2 * fronts);
  surface.length.resize(2 * fronts);
  surface.twin.resize(2 * fronts);
  for (Side s = 0; s < fronts; ++s) {
    surface.from[back(s)] = surface.from[next(s)];
    surface.length[back(s)] = surface.length[s];
  }
  for (std::size_t g = 0; g + 1 < sorted.groups.size(); ++g) {
    const std::size_t first = sorted.groups[g];
    const std::size_t count = sorted.groups[g + 1] - first;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& here = sorted.entries[first + i];
      const auto& there = sorted.entries[first + (i + 1) % count];
      const Side up = surface.from[here.side] == here.low ? here.side : back(here.side);
      const Side down = surface.from[there.side] == there.low ? back(there.side) : there.side;
      surface.twin[up] = down;
      surface.twin[down] = up;
    }
  }
}

// Lengthens all edges by the same amount until every triangle has some area.
void mollify(Intrinsic& surface) {
  if (surface.length.empty()) return;
  const double mean = std::accumulate(surface.length.begin(), surface.length.end(), 0.0) /
                      static_cast<double>(surface.length.size());
  const double margin = 1e-5 * mean;
  double more = 0;
  for (Side s = 0; s < surface.length.size(); ++s) {
    const double excess = surface.length[next(s)] + surface.length[previous(s)] - surface.length[s];
    more = std::max(more, margin - excess);
  }
  for (double& l : surface.length) l += more;
}

// Replaces the edge by the other diagonal of its two triangles.
void flip(Intrinsic& surface, Side side) {
  const Side other = surface.twin[side];
  const double base = surface.length[side];
  const auto apex = [&](double left, double right, Side face) {
    return std::array<double, 2>{(base * base + left * left - right * right) / (2 * base),
                                 2 * surface.area(face) / base};
  };
  const auto [x, y] = apex(surface.length[previous(side)], surface.length[next(side)], side);
  const auto [u, v] = apex(surface.length[next(other)], surface.length[previous(other)], other);
  const double diagonal = math::hypot(x - u, y + v);

  const Side face = side - side % 3;
  const Side other_face = other - other % 3;
  // Outer sides keep their start, length and twin, and move to another place.
  const std::array<Side, 4> before = {next(other), previous(side), next(side), previous(other)};
  const std::array<Side, 4> after = {face, face + 2, other_face, other_face + 2};
  std::array<Index, 4> from;
  std::array<double, 4> length;
  std::array<Side, 4> twin;
  for (std::size_t i = 0; i < 4; ++i) {
    from[i] = surface.from[before[i]];
    length[i] = surface.length[before[i]];
    twin[i] = surface.twin[before[i]];
    for (std::size_t k = 0; k < 4; ++k) {
      if (surface.twin[before[i]] == before[k]) twin[i] = after[k];
    }
  }
  for (std::size_t i = 0; i < 4; ++i) {
    surface.from[after[i]] = from[i];
    surface.length[after[i]] = length[i];
    surface.twin[after[i]] = twin[i];
    surface.twin[twin[i]] = after[i];
  }
  surface.from[face + 1] = from[3];
  surface.from[other_face + 1] = from[1];
  surface.length[face + 1] = surface.length[other_face + 1] = diagonal;
  surface.twin[face + 1] = other_face + 1;
  surface.twin[other_face + 1] = face + 1;
}

void make_delaunay(Intrinsic& surface) {
  std::vector<Side> open;
  std::vector<char> waiting(surface.from.size(), 0);
  const auto push = [&](Side s) {
    const Side edge = std::min(s, surface.twin[s]);
    if (waiting[edge] != 0) return;
    waiting[edge] = 1;
    open.push_back(edge);
  };
  const auto is_bad = [&](Side s) {
    const Side t = surface.twin[s];
    return s / 3 != t / 3 && surface.cotangent(s) + surface.cotangent(t) < -1e-9;
  };
  for (Side s = 0; s < surface.from.size(); ++s) {
    if (s < surface.twin[s] && is_bad(s)) push(s);
  }
  // Flipping terminates in exact arithmetic; the bound is for lengths so rounded that it would not.
  std::size_t left = 100 * surface.from.size();
  while (!open.empty() && left-- > 0) {
    const Side s = open.back();
    open.pop_back();
    waiting[s] = 0;
    if (!is_bad(s)) continue;
    const Side face = s - s % 3;
    const Side other_face = surface.twin[s] - surface.twin[s] % 3;
    flip(surface, s);
    for (const Side outer : {face, face + 2, other_face, other_face + 2}) push(outer);
  }
}

}  // namespace

SurfaceLaplacian surface_laplacian(const std::vector<Vec3>& positions,
                                   const std::vector<Triangle>& triangles) {
  require_sound(positions, triangles);
  Intrinsic surface;
  for (const Triangle& t : triangles) {
    if (!has_three_corners(t)) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      surface.from.push_back(t[i]);
      surface.length.push_back(distance(positions[t[i]], positions[t[(i + 1) % 3]]));
    }
  }
  mollify(surface);
  const SortedSides sorted(surface, positions.size());
  const bool closed = glue_closed(sorted, surface);
  if (!closed) glue_tufted(sorted, surface);

  SurfaceLaplacian result;
  result.areas.assign(positions.size(), 0.0);
  const double sheets = closed ? 1 : 2;
  for (Side s = 0; s < surface.from.size(); s += 3) {
    const double share = surface.area(s) / (3 * sheets);
    for (Side i = 0; i < 3; ++i) result.areas[surface.from[s + i]] += share;
  }
  make_delaunay(surface);
  result.edges.reserve(surface.from.size() / 2);
  for (Side s = 0; s < surface.from.size(); ++s) {
    const Side t = surface.twin[s];
    const Index a = surface.from[s];
    const Index b = surface.from[next(s)];
    if (s > t || a == b) continue;
    const double weight = (surface.cotangent(s) + surface.cotangent(t)) / (2 * sheets);
    if (weight > 0) result.edges.push_back({std::min(a, b), std::max(a, b), weight});
  }
  return result;
}

}  // namespace sinew
