// SPDX-License-Identifier: Apache-2.0
// An elimination order that keeps sparse factors small.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/rows.h"
#include "sinew/core/vec.h"

namespace sinew::detail {

// The neighbours of each node, without itself.
using Graph = Rows<int>;

// order[k] is the k-th node to eliminate. Recursively bisects the points across their longest
// extent, and orders the smallest separator (a minimum vertex cover of the crossing edges, by
// König's theorem) after both halves. Geometry replaces a general graph partitioner: our unknowns
// have positions, and neighbours are close to each other.
std::vector<int> nested_dissection(const Graph& graph, std::span<const Vec3> points);

}  // namespace sinew::detail
