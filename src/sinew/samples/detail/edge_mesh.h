// SPDX-License-Identifier: Apache-2.0
// Triangles with their neighbours, for taking edges out and turning them.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew::samples {

// A manifold surface, perhaps with borders. Half-edge 3 t + k runs from corner k of triangle t to
// corner k + 1. Removed triangles and vertices keep their numbers, and are told by is_removed.
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

  // Whether taking the edge out leaves a manifold, with no edge but the border's joining two of its
  // vertices. Its start goes into its end; a start on the border needs a border edge.
  bool can_collapse(std::uint32_t half_edge) const;
  void collapse(std::uint32_t half_edge);

  // The same for turning the edge to join the two vertices across from it.
  bool can_flip(std::uint32_t half_edge) const;
  void flip(std::uint32_t half_edge);

 private:
  void link(std::uint32_t a, std::uint32_t b);
  void start_at_border(Index vertex, std::uint32_t half_edge);

  std::vector<Index> origin_;
  std::vector<std::uint32_t> twin_;   // none at the border
  std::vector<std::uint32_t> first_;  // leaving each vertex; the border's where it has one
};

}  // namespace sinew::samples
