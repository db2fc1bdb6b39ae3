// SPDX-License-Identifier: Apache-2.0
// An order of elimination that keeps sparse factors small.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/rows.h"
#include "sinew/core/vec.h"

namespace sinew::detail {

// The neighbours of each node, without itself.
using Graph = Rows<int>;

// order[k] is the node eliminated as the k-th. Cuts in half across the longest extent of the points
// again and again, and puts the fewest nodes that part the halves (a least vertex cover of the
// edges that cross, by König's theorem) after both. Geometry stands in for the graph partitioners
// that others use: our unknowns always lie somewhere, and their neighbours are near.
std::vector<int> nested_dissection(const Graph& graph, std::span<const Vec3> points);

}  // namespace sinew::detail
