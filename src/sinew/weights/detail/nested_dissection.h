// SPDX-License-Identifier: Apache-2.0
// An order of elimination that keeps sparse factors small.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::detail {

// Neighbours of node v: nodes[starts[v]] to nodes[starts[v + 1] - 1], without v itself.
struct Graph {
  std::vector<std::size_t> starts{0};
  std::vector<int> nodes;

  int size() const { return static_cast<int>(starts.size()) - 1; }
  std::span<const int> of(int v) const {
    const std::size_t i = v;
    return std::span(nodes).subspan(starts[i], starts[i + 1] - starts[i]);
  }
};

// order[k] is the node eliminated as the k-th. Cuts in half across the longest extent of the points
// again and again, and puts the fewest nodes that part the halves (a least vertex cover of the
// edges that cross, by König's theorem) after both. Geometry stands in for the graph partitioners
// that others use: our unknowns always lie somewhere, and their neighbours are near.
std::vector<int> nested_dissection(const Graph& graph, std::span<const Vec3> points);

}  // namespace sinew::detail
