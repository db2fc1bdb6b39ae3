// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/adjacency.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

void sort_and_drop_repeats(Adjacency& adjacency) {
  std::size_t kept = 0;
  std::size_t begin = 0;
  for (std::size_t v = 0; v + 1 < adjacency.offsets.size(); ++v) {
    const auto first = adjacency.items.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last =
        adjacency.items.begin() + static_cast<std::ptrdiff_t>(adjacency.offsets[v + 1]);
    begin = adjacency.offsets[v + 1];
    std::sort(first, last);
    const auto unique_end = std::unique(first, last);
    std::copy(first, unique_end, adjacency.items.begin() + static_cast<std::ptrdiff_t>(kept));
    kept += static_cast<std::size_t>(unique_end - first);
    adjacency.offsets[v + 1] = kept;
  }
  adjacency.items.resize(kept);
}

template <std::size_t N, class Add>
void add_edges(const std::vector<std::array<Index, N>>& cells, const Add& add) {
  for (const auto& cell : cells) {
    for (const Index a : cell) {
      for (const Index b : cell) {
        if (a != b) add(a, b);
      }
    }
  }
}

}  // namespace

Adjacency vertex_neighbors(std::size_t vertex_count, const std::vector<Triangle>& triangles,
                           const std::vector<Tetrahedron>& tetrahedra) {
  require_indices(vertex_count, triangles);
  for (std::size_t t = 0; t < tetrahedra.size(); ++t) {
    if (*std::max_element(tetrahedra[t].begin(), tetrahedra[t].end()) >= vertex_count) {
      throw InputError(formatted("tetrahedron {}", t),
                       formatted("refers to a vertex beyond the {} there are", vertex_count));
    }
  }
  Adjacency result = rows_by_key<Index>(vertex_count, [&](const auto& add) {
    add_edges(triangles, add);
    add_edges(tetrahedra, add);
  });
  sort_and_drop_repeats(result);
  return result;
}

Adjacency vertex_triangles(std::size_t vertex_count, const std::vector<Triangle>& triangles,
                           std::span<const Index> group_of) {
  require_indices(vertex_count, triangles);
  const bool fit =
      group_of.empty() || (group_of.size() == vertex_count &&
                           *std::max_element(group_of.begin(), group_of.end()) < vertex_count);
  if (!fit) throw UsageError("there must be a group below their number for each vertex, or none");
  const auto key = [&](Index v) { return group_of.empty() ? v : group_of[v]; };
  return rows_by_key<Index>(vertex_count, [&](const auto& add) {
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const Index a = key(triangles[t][0]), b = key(triangles[t][1]), c = key(triangles[t][2]);
      add(a, static_cast<Index>(t));
      if (b != a) add(b, static_cast<Index>(t));
      if (c != a && c != b) add(c, static_cast<Index>(t));
    }
  });
}

Adjacency places_of(std::span<const Index> keys, std::size_t count) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] >= count) {
      throw UsageError(formatted("key {} is {}; it must be below {}", i, keys[i], count));
    }
  }
  return rows_by_key<Index>(count, [&](const auto& add) {
    for (std::size_t i = 0; i < keys.size(); ++i) add(keys[i], static_cast<Index>(i));
  });
}

}  // namespace sinew
