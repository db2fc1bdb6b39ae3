// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/detail/field_octree.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew::samples {
namespace {

constexpr int deepest_level = 12;

}  // namespace

Octree field_octree(const Field& field, double edge, bool half) {
  // Levels halve, so the coarsest size that the surface gets is tied to the edge length: the wanted
  // sizes then fall on whole levels rather than between them.
  const double coarsest = 1.9 * edge;
  const Vec3 extent = field.bounds().high - field.bounds().low;
  const double longest = std::max({extent.x, extent.y, extent.z});
  double root_side = coarsest;
  while (root_side < longest / 6) root_side *= 2;
  Vec3 origin = field.bounds().low - Vec3{1, 1, 1} * (0.51 * root_side);
  if (half) origin.x = 0;
  std::array<int, 3> roots{};
  for (int axis = 0; axis < 3; ++axis) {
    const double span = field.bounds().high[axis] + 0.51 * root_side - origin[axis];
    roots[axis] = static_cast<int>(std::ceil(span / root_side));
  }
  std::vector<OctreeCell> cells;
  for (int z = 0; z < roots[2]; ++z) {
    for (int y = 0; y < roots[1]; ++y) {
      for (int x = 0; x < roots[0]; ++x) cells.push_back({0, {x, y, z}});
    }
  }
  std::vector<std::vector<OctreeCell>> split;
  double size = root_side;
  for (int level = 0; level < deepest_level && !cells.empty(); ++level, size /= 2) {
    std::vector<std::uint8_t> wanted(cells.size());
    parallel_for(cells.size(), 512, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::array<int, 3>& place = cells[i].place;
        const Vec3 middle = origin + Vec3{place[0] + 0.5, place[1] + 0.5, place[2] + 0.5} * size;
        // Generous, as distances to warped primitives and unions are not exact far away.
        const double reach = 1.7 * 0.866 * size;
        if (std::fabs(field.distance(middle).value) > reach) continue;
        // The wanted length is the least in the cell, not the one at its middle.
        const double length = std::max(field.edge_length(middle, edge) - 0.1 * size, 0.01 * edge);
        wanted[i] = size > 1.9 * 1.3 * length || size > field.cell_limit(middle);
      }
    });
    split.emplace_back();
    std::vector<OctreeCell> next;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!wanted[i]) continue;
      split.back().push_back(cells[i]);
      for (int c = 0; c < 8; ++c) next.push_back(cells[i].child(c));
    }
    cells.swap(next);
  }
  return {origin, root_side, roots, std::move(split)};
}

LatticePlace corner_place(const OctreeCell& cell, int dx, int dy, int dz) {
  const int shift = deepest_level - cell.level + 1;
  return {(cell.place[0] + dx) << shift, (cell.place[1] + dy) << shift,
          (cell.place[2] + dz) << shift};
}

LatticePlace center_place(const OctreeCell& cell) {
  const int shift = deepest_level - cell.level;
  return {(2 * cell.place[0] + 1) << shift, (2 * cell.place[1] + 1) << shift,
          (2 * cell.place[2] + 1) << shift};
}

Vec3 position_of(const Octree& octree, const LatticePlace& place) {
  const double unit = octree.root_side() / static_cast<double>(2 << deepest_level);
  return octree.origin() + Vec3{place[0] * unit, place[1] * unit, place[2] * unit};
}

}  // namespace sinew::samples
