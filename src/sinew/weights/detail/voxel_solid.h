// SPDX-License-Identifier: Apache-2.0
// Converts a triangle soup to solid parts made of voxels.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/mesh/mesh.h"

namespace sinew::detail {

using VoxelCell = std::array<int, 3>;

struct VoxelGrid {
  Vec3 low;         // the corner of cell 0, 0, 0
  double size = 1;  // of a cell
  VoxelCell counts{1, 1, 1};

  Vec3 center(const VoxelCell& c) const {
    return low + Vec3{c[0] + 0.5, c[1] + 0.5, c[2] + 0.5} * size;
  }
  bool contains(const Vec3& p) const;
  // The cell that a point lies in; the nearest border cell if it lies outside the grid.
  VoxelCell cell(const Vec3& p) const;
};

// A grid around the box, with `resolution` cells along its longest side, or fewer if there would be
// more than 2^25 cells in all.
VoxelGrid voxel_grid(const Box& box, int resolution);

// One solid: cells that the surface passes through, and cells inside. Its box of cells has a margin
// of one cell without nodes, so that every node has 26 neighbours in it.
struct VoxelPart {
  std::vector<Index> vertices;  // of the mesh
  VoxelCell low{0, 0, 0};       // the grid's cell at index 0 of `node_at`; may be -1
  VoxelCell counts{0, 0, 0};
  std::vector<int> node_at;      // x fastest; -1 where not solid
  std::vector<VoxelCell> nodes;  // cells of the grid, ascending by z, y, x

  std::size_t index(const VoxelCell& c) const {
    return (static_cast<std::size_t>(c[2] - low[2]) * static_cast<std::size_t>(counts[1]) +
            static_cast<std::size_t>(c[1] - low[1])) *
               static_cast<std::size_t>(counts[0]) +
           static_cast<std::size_t>(c[0] - low[0]);
  }
  // The node in a cell; -1 where not solid or outside the box.
  int node(const VoxelCell& c) const;
};

// Connected components of the mesh (which must be welded) become parts of their own, however close
// they pass: two parts may both have a node in the same cell. Components that reach into each
// other's inside, or lie there, are one part. A cell is inside if the surface separates it from the
// outside at the grid's resolution or, for a component with holes, if the absolute value of its
// winding number exceeds 1/2; the winding order of faces does not matter. Vertices without a
// triangle are in no part. Parts are ordered by their lowest component.
std::vector<VoxelPart> voxelize(const std::vector<Vec3>& positions,
                                const std::vector<Triangle>& triangles, const VoxelGrid& grid,
                                const Progress& progress = {});

}  // namespace sinew::detail
