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

// For each node, how long a way from a bone may be there and still matter: no longer than `factor`
// times the shortest at one of the nodes in `wanted` that it leads on to, or a little more.
std::vector<double> reach(const VoxelGrid& grid, const VoxelPart& part,
                          std::span<const Segment> bones, std::span<const std::size_t> wanted,
                          double factor);

// For each node, how much longer than the straight line the way to the bone is that stays inside:
// 0 where the straight line does. Ways start in the cells that the bone passes through; stretches
// of the bone outside of the part reach it at the cells nearest to them. Around corners, distances
// are those of the eikonal equation (fast marching). Infinite for nodes that cannot be reached, and
// where the way is longer than `longest` says for that node.
std::vector<double> detours(const VoxelGrid& grid, const VoxelPart& part, const Segment& bone,
                            std::span<const double> longest);

}  // namespace sinew::detail
