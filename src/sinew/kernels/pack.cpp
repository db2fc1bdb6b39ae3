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

constexpr std::size_t block_size = tiles_per_block * tile_size;

using BoneSets = Rows<std::uint32_t>;  // ascending in each set

BoneSets bone_sets(const SkinRows& rows, std::size_t vertex_count, std::uint32_t still_bone) {
  BoneSets sets;
  sets.items.reserve(rows.influences.size());
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const auto first = static_cast<std::ptrdiff_t>(sets.items.size());
    for (const SkinInfluence& influence : rows.row(v)) {
      sets.items.push_back(static_cast<std::uint32_t>(influence.bone));
    }
    if (rows.row(v).empty()) sets.items.push_back(still_bone);
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

// The vertices [begin, end) reordered so that vertices with the same bones are together. Groups of
// `unit` consecutive vertices stay whole; an incomplete group at the end stays there. Units of a
// whole tile are not reordered, which would gain nothing.
std::vector<std::uint32_t> regrouped(const BoneSets& sets, std::size_t begin, std::size_t end,
                                     std::size_t unit) {
  BoneSets united;
  std::vector<std::uint32_t> bones;
  std::vector<std::uint32_t> groups((end - begin) / unit);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    bones.clear();
    for (std::size_t i = 0; i < unit; ++i) unite(bones, sets[begin + group * unit + i]);
    united.push(bones);
  }
  std::iota(groups.begin(), groups.end(), 0u);
  const auto by_bones = [&](std::uint32_t a, std::uint32_t b) {
    const auto x = united[a], y = united[b];
    if (std::equal(x.begin(), x.end(), y.begin(), y.end())) return a < b;
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  };
  if (unit != tile_size) std::sort(groups.begin(), groups.end(), by_bones);
  std::vector<std::uint32_t> order;
  order.reserve(end - begin);
  for (const std::uint32_t group : groups) {
    for (std::size_t i = 0; i < unit; ++i) {
      order.push_back(static_cast<std::uint32_t>(begin + group * unit + i));
    }
  }
  while (order.size() < end - begin) {
    order.push_back(static_cast<std::uint32_t>(begin + order.size()));
  }
  return order;
}

// An estimate of the cost of an order in instructions: the bones of each tile, and writing the
// results.
std::size_t estimated_cost(const BoneSets& sets, const std::vector<std::uint32_t>& order,
                           std::size_t unit) {
  const std::size_t per_bone = 20;
  const std::size_t writing = unit == tile_size ? 16 : unit == 4 ? 36 : 120;
  std::size_t cost = 0;
  std::vector<std::uint32_t> bones;
  for (std::size_t first = 0; first < order.size(); first += tile_size) {
    bones.clear();
    for (std::size_t i = first; i < std::min(first + tile_size, order.size()); ++i) {
      unite(bones, sets[order[i]]);
    }
    cost += per_bone * bones.size() + writing;
  }
  return cost;
}

std::vector<std::uint32_t> packed_order(const BoneSets& sets, std::size_t vertex_count) {
  std::vector<std::uint32_t> order(vertex_count);
  parallel_for(vertex_count, block_size, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> best;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const std::size_t unit : {tile_size, std::size_t{4}, std::size_t{1}}) {
      std::vector<std::uint32_t> tried = regrouped(sets, begin, end, unit);
      const std::size_t cost = estimated_cost(sets, tried, unit);
      if (cost >= least) continue;
      least = cost;
      best = std::move(tried);
    }
    std::copy(best.begin(), best.end(), order.begin() + static_cast<std::ptrdiff_t>(begin));
  });
  while (order.size() % tile_size != 0) order.push_back(order.back());
  return order;
}

// The largest of 16, 4 and 1 such that the tile consists of groups of that many consecutive
// vertices.
std::uint8_t run_length(std::span<const std::uint32_t> lanes) {
  for (const std::size_t length : {tile_size, std::size_t{4}}) {
    bool whole = true;
    for (std::size_t i = 1; i < tile_size; ++i) {
      whole = whole && (i % length == 0 || lanes[i] == lanes[i - 1] + 1);
    }
    if (whole) return static_cast<std::uint8_t>(length);
  }
  return 1;
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
  for (std::size_t tile = 0; tile < packed.tile_count; ++tile) {
    packed.first_vertex.push_back(packed.order[tile * tile_size]);
    packed.runs.push_back(run_length(std::span(packed.order).subspan(tile * tile_size, tile_size)));
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
    const auto row = rows.row(lanes[lane]);
    const auto entry_of = [&](std::uint32_t bone) {
      return first + static_cast<std::size_t>(std::lower_bound(bones.begin(), bones.end(), bone) -
                                              bones.begin());
    };
    if (row.empty()) {
      const std::size_t entry = entry_of(static_cast<std::uint32_t>(packed.bone_count));
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
  packed.order = packed_order(sets, count);
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
  return packed;
}

}  // namespace sinew::kernels
