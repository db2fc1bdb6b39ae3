// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/topology.h"

#include <algorithm>
#include <array>
#include <span>

#include "sinew/core/parallel.h"
#include "sinew/core/rows.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

constexpr std::size_t rows_at_once = 4096;

// An edge in the row of its lower vertex.
struct Edge {
  Index high;
  bool upwards;  // the triangle runs from low to high
};

bool has_repeated_corner(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

// The sum of of_row(row) over all rows, each of which may be sorted there.
template <class Sum, class Row, class OfRow>
Sum summed(Rows<Row>& rows, const OfRow& of_row) {
  std::vector<Sum> parts((rows.size() + rows_at_once - 1) / rows_at_once);
  parallel_for(rows.size(), rows_at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) parts[begin / rows_at_once] += of_row(rows[r]);
  });
  Sum sum{};
  for (const Sum& part : parts) sum += part;
  return sum;
}

struct EdgeCounts {
  std::size_t all = 0, boundary = 0, non_manifold = 0, inconsistent = 0;

  void operator+=(const EdgeCounts& more) {
    all += more.all;
    boundary += more.boundary;
    non_manifold += more.non_manifold;
    inconsistent += more.inconsistent;
  }
};

void count_edges(std::size_t vertex_count, const std::vector<Triangle>& triangles,
                 Topology& result) {
  Rows<Edge> rows = rows_by_key<Edge>(vertex_count, [&](const auto& add) {
    for (const Triangle& t : triangles) {
      if (has_repeated_corner(t)) continue;
      for (std::size_t i = 0; i < 3; ++i) {
        const Index from = t[i], to = t[(i + 1) % 3];
        add(std::min(from, to), Edge{std::max(from, to), from < to});
      }
    }
  });
  const auto counts = summed<EdgeCounts>(rows, [](std::span<Edge> edges) {
    EdgeCounts found;
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return a.high < b.high; });
    for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
      while (end < edges.size() && edges[end].high == edges[begin].high) ++end;
      ++found.all;
      if (end - begin == 1) ++found.boundary;
      if (end - begin > 2) ++found.non_manifold;
      if (end - begin == 2 && edges[begin].upwards == edges[begin + 1].upwards) {
        ++found.inconsistent;
      }
    }
    return found;
  });
  result.edges = counts.all;
  result.boundary_edges = counts.boundary;
  result.non_manifold_edges = counts.non_manifold;
  result.inconsistent_edges = counts.inconsistent;
  result.watertight = result.edges > 0 && result.boundary_edges == 0 &&
                      result.non_manifold_edges == 0 && result.inconsistent_edges == 0;
}

std::size_t count_duplicates(std::size_t vertex_count, const std::vector<Triangle>& triangles) {
  using Others = std::array<Index, 2>;  // in the row of the lowest corner
  Rows<Others> rows = rows_by_key<Others>(vertex_count, [&](const auto& add) {
    for (Triangle t : triangles) {
      if (has_repeated_corner(t)) continue;
      std::sort(t.begin(), t.end());
      add(t[0], Others{t[1], t[2]});
    }
  });
  return summed<std::size_t>(rows, [](std::span<Others> row) {
    std::sort(row.begin(), row.end());
    return static_cast<std::size_t>(row.end() - std::unique(row.begin(), row.end()));
  });
}

}  // namespace

Topology inspect(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles) {
  require_sound(positions, triangles);
  Topology result;
  result.vertices = positions.size();
  result.triangles = triangles.size();
  count_edges(positions.size(), triangles, result);
  result.duplicate_triangles = count_duplicates(positions.size(), triangles);
  std::vector<bool> used(positions.size());
  for (const Triangle& t : triangles) {
    for (const Index v : t) used[v] = true;
    if (has_repeated_corner(t) || has_no_area(positions[t[0]], positions[t[1]], positions[t[2]])) {
      ++result.degenerate_triangles;
    }
  }
  result.isolated_vertices = static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
  return result;
}

}  // namespace sinew
