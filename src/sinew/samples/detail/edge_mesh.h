// SPDX-License-Identifier: Apache-2.0
// Half-edge mesh for collapsing and flipping edges.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew::samples {

// A manifold surface, possibly with borders. Half-edge 3 t + k runs from corner k of triangle t to
// corner k + 1. Removed triangles and vertices keep their indices; is_removed tells them apart.
class EdgeMesh {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  EdgeMesh(std::size_t vertex_count, const std::vector<Triangle>& triangles);

  std::size_t half_edge_count() const { return origin_.size(); }
  std::size_t vertex_count() const { return first_.size(); }
  bool is_removed(std::uint32_t half_edge) const { return origin_[half_edge] == none; }
  bool is_vertex_removed(Index vertex) const { return first_[vertex] == none; }
  bool is_border(Index vertex) const { return twin_[first_[vertex]] == none; }

  Index from(std::uint32_t half_edge) const { return origin_[half_edge]; }
  Index to(std::uint32_t half_edge) const { return origin_[next(half_edge)]; }
  Index opposite(std::uint32_t half_edge) const { return origin_[previous(half_edge)]; }
  std::uint32_t twin(std::uint32_t half_edge) const { return twin_[half_edge]; }

  static std::uint32_t next(std::uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
  static std::uint32_t previous(std::uint32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }

  // Calls visit(half_edge) for each half-edge that leaves `vertex`, counter-clockwise.
  template <class Visit>
  void for_each_leaving(Index vertex, Visit&& visit) const {
    const std::uint32_t start = first_[vertex];
    std::uint32_t h = start;
    do {
      visit(h);
      h = twin_[previous(h)];
    } while (h != none && h != start);
  }

  // The vertices joined to `vertex` by an edge, counter-clockwise.
  void neighbors(Index vertex, std::vector<Index>& out) const;
  bool are_joined(Index a, Index b) const;

  // Whether collapsing the edge, moving its start to its end, leaves a manifold in which only
  // border edges join two border vertices. If its start is on the border, the edge must be a border
  // edge.
  bool can_collapse(std::uint32_t half_edge) const;
  void collapse(std::uint32_t half_edge);

  // The same for flipping the edge to join the two opposite vertices.
  bool can_flip(std::uint32_t half_edge) const;
  void flip(std::uint32_t half_edge);

 private:
  void link(std::uint32_t a, std::uint32_t b);
  void start_at_border(Index vertex, std::uint32_t half_edge);

  std::vector<Index> origin_;
  std::vector<std::uint32_t> twin_;   // `none` at the border
  std::vector<std::uint32_t> first_;  // a half-edge leaving each vertex; the border one if any
};

}  // namespace sinew::samples
