// SPDX-License-Identifier: Apache-2.0
// Distances from a bone through the inside of a solid.
#pragma once

#include <span>
#include <vector>

#include "sinew/weights/detail/unit_space.h"
#include "sinew/weights/detail/voxel_solid.h"

namespace sinew::detail {

// Whether the bone passes through a cell of the part.
bool passes_through(const VoxelGrid& grid, const VoxelPart& part, const Segment& bone);

// The squared distance from the bone to the nearest center of a cell of the part.
double nearest_cell(const VoxelGrid& grid, const VoxelPart& part, const Segment& bone);

// For each node, an upper bound on the length of paths from a bone to it that still matter: a path
// may be `factor` times as long as the shortest path at some node in `wanted` that it continues to.
// Slightly overestimated.
std::vector<double> reach(const VoxelGrid& grid, const VoxelPart& part,
                          std::span<const Segment> bones, std::span<const std::size_t> wanted,
                          double factor);

// For each node, how much longer than the straight line the shortest path to the bone inside the
// part is: 0 where the straight line stays inside. Paths start in the cells that the bone passes
// through; intervals of the bone outside the part enter it at the cells nearest to them. Around
// corners, distances solve the eikonal equation (fast marching). Infinite for nodes that cannot be
// reached, or only by a path longer than `longest` allows for that node.
std::vector<double> detours(const VoxelGrid& grid, const VoxelPart& part, const Segment& bone,
                            std::span<const double> longest);

}  // namespace sinew::detail
