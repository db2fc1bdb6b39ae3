// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/detail/pack.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/rows.h"
#include "sinew/deform/bone_state.h"
#include "sinew/deform/skin_rows.h"

namespace sinew::kernels {
namespace {

using BoneSets = Rows<std::uint32_t>;  // ascending in each set

BoneSets bone_sets(const SkinRows& rows, std::size_t vertex_count, std::uint32_t still_bone) {
  BoneSets sets;
  sets.items.reserve(rows.items.size());
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const auto first = static_cast<std::ptrdiff_t>(sets.items.size());
    for (const SkinInfluence& influence : rows[v]) {
      sets.items.push_back(static_cast<std::uint32_t>(influence.bone));
    }
    if (rows[v].empty()) sets.items.push_back(still_bone);
    std::sort(sets.items.begin() + first, sets.items.end());
    sets.items.erase(std::unique(sets.items.begin() + first, sets.items.end()), sets.items.end());
    sets.end_row();
  }
  return sets;
}

// Merges the sorted list `from` into the sorted list `to`, without duplicates.
void unite(std::vector<std::uint32_t>& to, std::span<const std::uint32_t> from) {
  for (const std::uint32_t bone : from) {
    const auto at = std::lower_bound(to.begin(), to.end(), bone);
    if (at == to.end() || *at != bone) to.insert(at, bone);
  }
}

// The vertices [begin, end) reordered so that vertices with the same bones are together.
std::vector<std::uint32_t> sorted_by_bones(const BoneSets& sets, std::size_t begin,
                                           std::size_t end) {
  std::vector<std::uint32_t> order(end - begin);
  std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(begin));
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto x = sets[a], y = sets[b];
    if (std::equal(x.begin(), x.end(), y.begin(), y.end())) return a < b;
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });
  return order;
}

// How many bones the tiles of these vertices have, all together.
std::size_t bones_of_tiles(const BoneSets& sets, std::span<const std::uint32_t> order) {
  std::size_t count = 0;
  std::vector<std::uint32_t> bones;
  for (std::size_t first = 0; first < order.size(); first += tile_size) {
    bones.clear();
    for (std::size_t i = first; i < std::min(first + tile_size, order.size()); ++i) {
      unite(bones, sets[order[i]]);
    }
    count += bones.size();
  }
  return count;
}

// Sorts the vertices of each block by their bones, if that is worth the while. Fills `order`,
// `sorted` and `slots`.
void pack_order(PackedRig& packed, const BoneSets& sets) {
  const std::size_t count = packed.vertex_count;
  packed.order.resize(count);
  packed.sorted.resize((count + block_size - 1) / block_size);
  parallel_for(count, block_size, [&](std::size_t begin, std::size_t end) {
    const auto order = std::span(packed.order).subspan(begin, end - begin);
    std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(begin));
    const std::vector<std::uint32_t> sorted = sorted_by_bones(sets, begin, end);
    // Bringing a tile's results back into order takes about as long as two bones.
    const std::size_t tiles = (end - begin + tile_size - 1) / tile_size;
    if (bones_of_tiles(sets, sorted) + 2 * tiles >= bones_of_tiles(sets, order)) return;
    std::copy(sorted.begin(), sorted.end(), order.begin());
    packed.sorted[begin / block_size] = 1;
  });
  if (std::any_of(packed.sorted.begin(), packed.sorted.end(), [](auto s) { return s != 0; })) {
    packed.slots.resize(count);
    for (std::size_t slot = 0; slot < count; ++slot) {
      packed.slots[packed.order[slot]] = static_cast<std::uint16_t>(slot % block_size);
    }
  }
  while (packed.order.size() % tile_size != 0) packed.order.push_back(packed.order.back());
}

void pack_geometry(PackedRig& packed, const Mesh& mesh, const std::vector<Vec3>& normals) {
  packed.positions.resize(packed.tile_count * 3 * tile_size);
  packed.normals.resize(packed.positions.size());
  packed.tangents.resize(mesh.tangents.empty() ? 0 : packed.tile_count * 4 * tile_size);
  for (std::size_t slot = 0; slot < packed.order.size(); ++slot) {
    const std::size_t v = packed.order[slot];
    const std::size_t tile = slot / tile_size, lane = slot % tile_size;
    const Vec3 p = mesh.positions[v] - packed.center;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = (tile * 3 + k) * tile_size + lane;
      packed.positions[at] = static_cast<float>(p[k]);
      packed.normals[at] = static_cast<float>(normals[v][k]);
    }
    if (mesh.tangents.empty()) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      packed.tangents[(tile * 4 + k) * tile_size + lane] = static_cast<float>(mesh.tangents[v][k]);
    }
  }
}

// One lane's influence in each entry of the tile. Lanes that an entry does not move copy the
// endpoint weights of one that it moves, so that they are constant wherever possible.
void pack_tile(PackedRig& packed, std::size_t tile, const SkinRows& rows, const BoneSets& sets,
               std::vector<std::uint32_t>& bones) {
  const auto lanes = std::span(packed.order).subspan(tile * tile_size, tile_size);
  bones.clear();
  for (const std::uint32_t v : lanes) unite(bones, sets[v]);

  const std::size_t first = packed.entries.size();
  constexpr float unset = -1;
  for (const std::uint32_t bone : bones) packed.entries.push_back({.bone = bone});
  packed.weights.resize(packed.entries.size() * tile_size, 0.0f);
  packed.raw_stretch.resize(packed.weights.size(), unset);
  packed.raw_twist.resize(packed.weights.size(), unset);
  for (std::size_t lane = 0; lane < tile_size; ++lane) {
    const auto row = rows[lanes[lane]];
    const auto entry_of = [&](std::uint32_t bone) {
      return first + static_cast<std::size_t>(std::lower_bound(bones.begin(), bones.end(), bone) -
                                              bones.begin());
    };
    if (row.empty()) {
      const std::size_t entry = entry_of(static_cast<std::uint32_t>(packed.bone_count));
      packed.has_still = true;
      packed.weights[entry * tile_size + lane] = 1;
      packed.entries[entry].pivot_lanes |= static_cast<std::uint16_t>(1u << lane);
      continue;
    }
    const auto pivot = std::max_element(
        row.begin(), row.end(), [](const auto& a, const auto& b) { return a.weight < b.weight; });
    for (const SkinInfluence& influence : row) {
      const std::size_t entry = entry_of(static_cast<std::uint32_t>(influence.bone));
      const std::size_t at = entry * tile_size + lane;
      packed.weights[at] += static_cast<float>(influence.weight);
      packed.raw_stretch[at] = static_cast<float>(influence.stretch_endpoint);
      packed.raw_twist[at] = static_cast<float>(influence.twist_endpoint);
      if (influence.bone == pivot->bone) {
        packed.entries[entry].pivot_lanes |= static_cast<std::uint16_t>(1u << lane);
      }
    }
  }
  for (std::vector<float>* raw : {&packed.raw_stretch, &packed.raw_twist}) {
    for (std::size_t entry = first; entry < packed.entries.size(); ++entry) {
      const auto block = std::span(*raw).subspan(entry * tile_size, tile_size);
      const auto known = std::find_if(block.begin(), block.end(), [](float e) { return e >= 0; });
      std::replace_if(
          block.begin(), block.end(), [](float e) { return e < 0; },
          known == block.end() ? 0.0f : *known);
    }
  }
  packed.first_entry.push_back(static_cast<std::uint32_t>(packed.entries.size()));
}

void check_count(std::size_t count) {
  if (count > std::numeric_limits<std::uint32_t>::max() / 2) {
    throw UsageError("the weights are too many for the kernels");
  }
}

}  // namespace

bool has_vertex_normals(const Mesh& mesh) {
  return mesh.normals.per_vertex() && !mesh.normals.empty();
}

std::vector<Vec3> bind_normals(const Mesh& mesh) {
  std::vector<Vec3> normals = has_vertex_normals(mesh)
                                  ? mesh.normals.values
                                  : vertex_normals(mesh.positions, mesh.triangles);
  if (mesh.shapes.empty()) {
    for (Vec3& normal : normals) normal = normalized(normal, normal);
  }
  return normals;
}

PackedRig pack(const Rig& rig, bool with_slopes) {
  const std::size_t count = rig.mesh.vertex_count();
  if (count > std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError("the kernels take fewer than 2^32 vertices");
  }
  PackedRig packed;
  packed.vertex_count = count;
  packed.bone_count = rig.skeleton.bones.size();
  packed.tree = bone_tree(rig.skeleton);
  packed.center = bounding_box(rig.mesh.positions).center();
  const SkinRows rows = unfiltered_skin_rows(rig);
  const BoneSets sets = bone_sets(rows, count, static_cast<std::uint32_t>(packed.bone_count));
  pack_order(packed, sets);
  packed.tile_count = packed.order.size() / tile_size;
  const std::vector<Vec3> normals = bind_normals(rig.mesh);
  pack_geometry(packed, rig.mesh, normals);

  packed.first_entry.push_back(0);
  std::vector<std::uint32_t> bones;
  for (std::size_t tile = 0; tile < packed.tile_count; ++tile) {
    pack_tile(packed, tile, rows, sets, bones);
    check_count(packed.entries.size());
  }
  packed.first_slope.assign(packed.tile_count + 1, 0);
  packed.weight_slope_counts.assign(packed.tile_count, 0);
  if (with_slopes && !rig.mesh.triangles.empty()) pack_slopes(packed, rig.mesh, normals, rows);
  check_count(packed.entries.size() + packed.slopes.size());
  if (packed.raw_twist == packed.raw_stretch) packed.raw_twist = {};
  pack_endpoints(packed, rig.skin.filters);
  pack_blended_pairs(packed);
  pack_shapes(packed, rig.mesh);
  pack_muscles(packed, rig, with_slopes);
  return packed;
}

}  // namespace sinew::kernels
