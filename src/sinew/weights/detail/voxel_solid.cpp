// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/voxel_solid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/geometry/components.h"
#include "sinew/geometry/orient.h"
#include "sinew/geometry/overlap.h"
#include "sinew/geometry/topology.h"
#include "sinew/geometry/winding.h"

namespace sinew::detail {
namespace {

constexpr std::size_t most_cells = std::size_t{1} << 25;

// A component of the mesh, and the cells of the grid that it fills.
struct Shell {
  std::vector<Index> vertices;
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;  // of these positions
  std::vector<VoxelCell> surface, inside;
};

enum class State : std::uint8_t { unknown, surface, outside };

// The cells of a shell's bounding box and a margin of one around it.
struct CellBlock {
  VoxelCell low, counts;
  std::vector<State> state;

  CellBlock(const VoxelCell& from, const VoxelCell& to) {
    std::size_t total = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = from[i] - 1;
      counts[i] = to[i] - from[i] + 3;
      total *= static_cast<std::size_t>(counts[i]);
    }
    state.assign(total, State::unknown);
  }
  std::array<std::size_t, 3> strides() const {
    const std::size_t x = counts[0];
    return {1, x, x * static_cast<std::size_t>(counts[1])};
  }
  State& at(const VoxelCell& c) {
    const auto s = strides();
    return state[static_cast<std::size_t>(c[0] - low[0]) +
                 static_cast<std::size_t>(c[1] - low[1]) * s[1] +
                 static_cast<std::size_t>(c[2] - low[2]) * s[2]];
  }
  VoxelCell cell(std::size_t index) const {
    const auto s = strides();
    return {static_cast<int>(index % s[1]) + low[0], static_cast<int>(index % s[2] / s[1]) + low[1],
            static_cast<int>(index / s[2]) + low[2]};
  }
};

std::array<VoxelCell, 2> cells_around(const VoxelGrid& grid, const Vec3& low, const Vec3& high) {
  const double margin = 1e-6 * grid.size;
  return {grid.cell(low - Vec3{margin, margin, margin}),
          grid.cell(high + Vec3{margin, margin, margin})};
}

// Halves the range of cells as long as the triangle passes through it.
void mark_surface(const VoxelGrid& grid, const TriangleOverlap& overlap, const VoxelCell& from,
                  const VoxelCell& to, CellBlock& block) {
  const Vec3 a = grid.center(from);
  const Vec3 b = grid.center(to);
  // A little wider, so that what lies on the border of two cells is in both however it is rounded.
  const double rim = grid.size * (0.5 + 1e-6);
  if (!overlap((a + b) * 0.5, (b - a) * 0.5 + Vec3{rim, rim, rim})) return;
  std::size_t longest = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (to[i] - from[i] > to[longest] - from[longest]) longest = i;
  }
  if (to[longest] == from[longest]) {
    block.at(from) = State::surface;
    return;
  }
  const int middle = (from[longest] + to[longest]) / 2;
  VoxelCell below = to;
  below[longest] = middle;
  VoxelCell above = from;
  above[longest] = middle + 1;
  mark_surface(grid, overlap, from, below, block);
  mark_surface(grid, overlap, above, to, block);
}

void flood_from_outside(CellBlock& block) {
  const auto strides = block.strides();
  std::vector<std::size_t> open = {0};  // the margin is one connected region
  block.state[0] = State::outside;
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    const VoxelCell c = block.cell(at);
    for (std::size_t i = 0; i < 3; ++i) {
      const int place = c[i] - block.low[i];
      const auto visit = [&](std::size_t next) {
        if (block.state[next] != State::unknown) return;
        block.state[next] = State::outside;
        open.push_back(next);
      };
      if (place > 0) visit(at - strides[i]);
      if (place + 1 < block.counts[i]) visit(at + strides[i]);
    }
  }
}

// The inside of a component with holes. The margin is excluded.
std::vector<VoxelCell> wound_around(const VoxelGrid& grid, const Shell& shell,
                                    const CellBlock& block) {
  std::vector<VoxelCell> candidates;
  for (std::size_t i = 0; i < block.state.size(); ++i) {
    if (block.state[i] != State::outside) continue;
    const VoxelCell c = block.cell(i);
    bool margin = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const int place = c[k] - block.low[k];
      margin = margin || place == 0 || place + 1 == block.counts[k];
    }
    if (!margin) candidates.push_back(c);
  }
  const WindingNumber quick(shell.positions, shell.triangles);
  const WindingNumber precise(quick.bvh(), 8);  // where the quick one's error could decide
  std::vector<char> inside(candidates.size());
  parallel_for(candidates.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3 p = grid.center(candidates[i]);
      double w = std::fabs(quick.at(p));
      if (std::fabs(w - least_winding_inside) < 0.02) w = std::fabs(precise.at(p));
      inside[i] = w > least_winding_inside ? 1 : 0;
    }
  });
  std::vector<VoxelCell> found;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (inside[i] != 0) found.push_back(candidates[i]);
  }
  return found;
}

void fill(const VoxelGrid& grid, Shell& shell) {
  const Box box = bounding_box(shell.positions);
  const auto [from, to] = cells_around(grid, box.low, box.high);
  CellBlock block(from, to);
  for (const auto& [a, b, c] : shell.triangles) {
    const TriangleOverlap overlap(shell.positions[a], shell.positions[b], shell.positions[c]);
    const auto [first, last] = cells_around(grid, overlap.low(), overlap.high());
    mark_surface(grid, overlap, first, last, block);
  }
  const bool may_enclose = shell.triangles.size() >= 3;
  if (may_enclose) flood_from_outside(block);
  for (std::size_t i = 0; i < block.state.size(); ++i) {
    if (block.state[i] == State::surface) shell.surface.push_back(block.cell(i));
    if (may_enclose && block.state[i] == State::unknown) shell.inside.push_back(block.cell(i));
  }
  if (!may_enclose) return;
  const Topology topology = inspect(shell.positions, shell.triangles);
  if (!topology.watertight) {
    if (topology.inconsistent_edges > 0) {
      shell.triangles = orient(shell.positions, shell.triangles).triangles;
    }
    const std::vector<VoxelCell> more = wound_around(grid, shell, block);
    shell.inside.insert(shell.inside.end(), more.begin(), more.end());
  }
}

std::vector<Shell> shells_of(const std::vector<Vec3>& positions,
                             const std::vector<Triangle>& triangles, const VoxelGrid& grid) {
  const Components components = connected_components(positions.size(), triangles);
  std::vector<Box> boxes(components.count);
  std::vector<bool> seen(boxes.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const std::size_t c = components.of_vertex[v];
    Box& box = boxes[c];
    box.low = seen[c] ? component_min(box.low, positions[v]) : positions[v];
    box.high = seen[c] ? component_max(box.high, positions[v]) : positions[v];
    seen[c] = true;
  }
  std::vector<int> triangle_count(boxes.size());
  for (const int c : components.of_triangle) ++triangle_count[c];
  // Searching the boxes of many large components could take very long. Beyond a limit they are
  // treated as one.
  std::vector<int> shell_of(boxes.size(), -1);
  const double bound =
      std::max(1e6, 8.0 * grid.counts[0] * double(grid.counts[1]) * double(grid.counts[2]));
  double looked_at = 0;
  int count = 0;
  int crowd = -1;
  for (std::size_t c = 0; c < boxes.size(); ++c) {
    if (triangle_count[c] == 0) continue;
    const auto [from, to] = cells_around(grid, boxes[c].low, boxes[c].high);
    looked_at += double(to[0] - from[0] + 3) * (to[1] - from[1] + 3) * (to[2] - from[2] + 3);
    if (looked_at < bound) {
      shell_of[c] = count++;
    } else {
      if (crowd < 0) crowd = count++;
      shell_of[c] = crowd;
    }
  }
  std::vector<Shell> shells(count);
  std::vector<Index> place(positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const int s = shell_of[components.of_vertex[v]];
    if (s < 0) continue;
    Shell& shell = shells[s];
    place[v] = static_cast<Index>(shell.vertices.size());
    shell.vertices.push_back(static_cast<Index>(v));
    shell.positions.push_back(positions[v]);
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [a, b, c] = triangles[t];
    shells[shell_of[components.of_triangle[t]]].triangles.push_back({place[a], place[b], place[c]});
  }
  return shells;
}

// For each shell the lowest of those that it is one solid with.
std::vector<std::size_t> join_overlapping(const VoxelGrid& grid, const std::vector<Shell>& shells) {
  std::vector<std::size_t> parent(shells.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t s) {
    while (parent[s] != s) s = parent[s] = parent[parent[s]];
    return s;
  };
  const auto join = [&](std::size_t a, std::size_t b) {
    a = root(a);
    b = root(b);
    parent[std::max(a, b)] = std::min(a, b);
  };
  if (shells.size() > 1) {
    const auto index = [&](const VoxelCell& c) {
      return (static_cast<std::size_t>(c[2]) * static_cast<std::size_t>(grid.counts[1]) +
              static_cast<std::size_t>(c[1])) *
                 static_cast<std::size_t>(grid.counts[0]) +
             static_cast<std::size_t>(c[0]);
    };
    std::vector<int> filled_by(static_cast<std::size_t>(grid.counts[0]) *
                                   static_cast<std::size_t>(grid.counts[1]) *
                                   static_cast<std::size_t>(grid.counts[2]),
                               -1);
    for (std::size_t s = 0; s < shells.size(); ++s) {
      for (const VoxelCell& c : shells[s].inside) {
        int& owner = filled_by[index(c)];
        if (owner >= 0) join(static_cast<std::size_t>(owner), s);
        owner = static_cast<int>(s);
      }
    }
    for (std::size_t s = 0; s < shells.size(); ++s) {
      for (const VoxelCell& c : shells[s].surface) {
        if (const int owner = filled_by[index(c)]; owner >= 0) {
          join(static_cast<std::size_t>(owner), s);
        }
      }
    }
  }
  for (std::size_t s = 0; s < shells.size(); ++s) parent[s] = root(s);
  return parent;
}

VoxelPart make_part(const std::vector<const Shell*>& shells) {
  VoxelPart part;
  VoxelCell low = shells.front()->surface.front();
  VoxelCell high = low;
  const auto each_cell = [&](const auto& visit) {
    for (const Shell* shell : shells) {
      for (const VoxelCell& c : shell->surface) visit(c);
      for (const VoxelCell& c : shell->inside) visit(c);
    }
  };
  each_cell([&](const VoxelCell& c) {
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], c[i]);
      high[i] = std::max(high[i], c[i]);
    }
  });
  std::size_t total = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    part.low[i] = low[i] - 1;
    part.counts[i] = high[i] - low[i] + 3;
    total *= static_cast<std::size_t>(part.counts[i]);
  }
  part.node_at.assign(total, -1);
  each_cell([&](const VoxelCell& c) { part.node_at[part.index(c)] = 0; });
  for (int z = low[2]; z <= high[2]; ++z) {
    for (int y = low[1]; y <= high[1]; ++y) {
      for (int x = low[0]; x <= high[0]; ++x) {
        int& node = part.node_at[part.index({x, y, z})];
        if (node < 0) continue;
        node = static_cast<int>(part.nodes.size());
        part.nodes.push_back({x, y, z});
      }
    }
  }
  for (const Shell* shell : shells) {
    part.vertices.insert(part.vertices.end(), shell->vertices.begin(), shell->vertices.end());
  }
  return part;
}

}  // namespace

bool VoxelGrid::contains(const Vec3& p) const {
  for (std::size_t i = 0; i < 3; ++i) {
    const double place = (p[i] - low[i]) / size;
    if (!(place >= 0 && place < counts[i])) return false;
  }
  return true;
}

VoxelCell VoxelGrid::cell(const Vec3& p) const {
  VoxelCell c;
  for (std::size_t i = 0; i < 3; ++i) {
    const double place = std::floor((p[i] - low[i]) / size);
    c[i] = static_cast<int>(std::clamp(place, 0.0, double(counts[i] - 1)));
  }
  return c;
}

VoxelGrid voxel_grid(const Box& box, int resolution) {
  const Vec3 extent = box.high - box.low;
  const double longest = std::max({extent.x, extent.y, extent.z});
  VoxelGrid grid;
  grid.size = longest > 0 ? longest / resolution : 1;
  for (;; grid.size *= 1.1) {
    double total = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      // One cell more, so that the border does not run along the faces of a box.
      grid.counts[i] = static_cast<int>(std::ceil(extent[i] / grid.size * (1 - 1e-9))) + 1;
      total *= grid.counts[i];
    }
    if (total <= double(most_cells)) break;
  }
  const Vec3 counts{double(grid.counts[0]), double(grid.counts[1]), double(grid.counts[2])};
  grid.low = box.center() - counts * (0.5 * grid.size);
  return grid;
}

int VoxelPart::node(const VoxelCell& c) const {
  for (std::size_t i = 0; i < 3; ++i) {
    if (c[i] < low[i] || c[i] >= low[i] + counts[i]) return -1;
  }
  return node_at[index(c)];
}

std::vector<VoxelPart> voxelize(const std::vector<Vec3>& positions,
                                const std::vector<Triangle>& triangles, const VoxelGrid& grid,
                                const Progress& progress) {
  std::vector<Shell> shells = shells_of(positions, triangles, grid);
  for (std::size_t s = 0; s < shells.size(); ++s) {
    progress.report("voxels", double(s) / double(shells.size()));
    fill(grid, shells[s]);
  }
  const std::vector<std::size_t> first = join_overlapping(grid, shells);
  std::vector<std::vector<const Shell*>> groups(shells.size());
  for (std::size_t s = 0; s < shells.size(); ++s) groups[first[s]].push_back(&shells[s]);
  std::vector<VoxelPart> parts;
  for (const auto& group : groups) {
    if (!group.empty()) parts.push_back(make_part(group));
  }
  return parts;
}

}  // namespace sinew::detail
