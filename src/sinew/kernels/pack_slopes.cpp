// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/deform/internal/skin_slopes.h"
#include "sinew/kernels/detail/pack.h"

namespace sinew::kernels {
namespace {

constexpr float unknown = -1;
// Slopes are dropped if they would rotate a normal by less than this many radians when two bones
// are one model size apart.
constexpr double negligible_turn = 1e-5;

// The slopes of some tiles, in order.
struct BlockSlopes {
  std::vector<std::uint32_t> ends;          // per tile: after its last slope
  std::vector<std::uint32_t> with_weights;  // per tile: how many have slopes of weights
  // Entries from no_entry on are the block's own, counted back from there; endpoints are numbered
  // within the block.
  std::vector<Slope> slopes;
  std::vector<float> weight_slopes;                 // twice 16 per slope
  std::vector<float> stretch_slopes, twist_slopes;  // times the weight; twist may be empty
  std::vector<std::uint32_t> bones;                 // of new entries
  std::vector<float> raw_stretch, raw_twist;        // 16 for each; twist may be empty
};

constexpr std::uint32_t no_entry = 0xffffffff;

// Index of the first of a lane's three floats.
std::size_t first_of(std::size_t slot) {
  return slot / tile_size * 3 * tile_size + slot % tile_size;
}

Vec3 load(const AlignedFloats& from, std::size_t slot) {
  const std::size_t at = first_of(slot);
  return {static_cast<double>(from[at]), static_cast<double>(from[at + tile_size]),
          static_cast<double>(from[at + 2 * tile_size])};
}

// The tile's own entry for the bone, if it has one.
std::uint32_t own_entry(const PackedRig& packed, std::size_t tile, std::uint32_t bone) {
  const auto first = packed.entries.begin() + packed.first_entry[tile];
  const auto last = packed.entries.begin() + packed.first_entry[tile + 1];
  const auto found = std::lower_bound(
      first, last, bone, [](const Entry& entry, std::uint32_t b) { return entry.bone < b; });
  return found != last && found->bone == bone
             ? static_cast<std::uint32_t>(found - packed.entries.begin())
             : no_entry;
}

bool is_constant(std::span<const float> block) {
  return std::all_of(block.begin(), block.end(), [&](float e) { return e == block.front(); });
}

// Endpoint weights of lanes that the bone does not move, but a neighbour: whether the block of the
// tile's own entry has them, or can take them. One whose lanes are all alike stays so: it costs
// less, and what it moves has the same bits as without normals.
bool can_take(std::span<const float> known, std::span<const float> weights,
              std::span<const float> block) {
  if (!is_constant(block)) return true;
  for (std::size_t lane = 0; lane < tile_size; ++lane) {
    if (weights[lane] == 0 && known[lane] >= 0 && known[lane] != block[lane]) return false;
  }
  return true;
}

void take(std::span<const float> known, std::span<const float> weights, std::span<float> block) {
  for (std::size_t lane = 0; lane < tile_size; ++lane) {
    if (weights[lane] == 0 && known[lane] >= 0) block[lane] = known[lane];
  }
}

// For an entry that only slopes refer to. Lanes that do not know the bone take any value.
void fill(std::span<const float> known, std::span<float> block) {
  const auto any = std::find_if(known.begin(), known.end(), [](float e) { return e >= 0; });
  for (std::size_t lane = 0; lane < tile_size; ++lane) {
    block[lane] = known[lane] >= 0 ? known[lane] : any == known.end() ? 0.0f : *any;
  }
}

using Lanes = std::array<float, tile_size>;

// Computes the slopes of one tile after the other. Of the packed rig, it changes the endpoint
// weights of that tile's own entries, in lanes that they do not move.
class TileSlopes {
 public:
  TileSlopes(PackedRig& packed, const SkinSlopes& slopes, double size, BlockSlopes& block)
      : packed_(packed), slopes_(slopes), least_(negligible_turn / size), block_(block) {}

  void add(std::size_t tile) {
    bones_.clear();
    only_endpoints_.clear();
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      const std::size_t slot = tile * tile_size + lane;
      slopes_.at(packed_.order[slot], lanes_[lane], fan_);
      directions_[lane] = directions_at(packed_, slot);
      for (const SkinSlope& slope : lanes_[lane]) {
        const auto bone = static_cast<std::uint32_t>(slope.at.bone);
        if (matters(slope.weight)) put(bone, bones_);
        if (matters_at_endpoints(slope)) put(bone, only_endpoints_);
      }
    }
    block_.with_weights.push_back(static_cast<std::uint32_t>(bones_.size()));
    std::erase_if(only_endpoints_, [&](std::uint32_t bone) {
      return std::binary_search(bones_.begin(), bones_.end(), bone);
    });
    bones_.insert(bones_.end(), only_endpoints_.begin(), only_endpoints_.end());
    for (const std::uint32_t bone : bones_) add_bone(tile, bone);
    block_.ends.push_back(static_cast<std::uint32_t>(block_.slopes.size()));
  }

 private:
  bool matters(const Vec3& slope) const { return length_squared(slope) > least_ * least_; }
  bool matters_at_endpoints(const SkinSlope& slope) const {
    return matters(slope.stretch * slope.at.weight) || matters(slope.twist * slope.at.weight);
  }

  // `bones` ascend.
  static void put(std::uint32_t bone, std::vector<std::uint32_t>& bones) {
    const auto place = std::lower_bound(bones.begin(), bones.end(), bone);
    if (place == bones.end() || *place != bone) bones.insert(place, bone);
  }

  void add_bone(std::size_t tile, std::uint32_t bone) {
    Lanes stretch, twist;
    stretch.fill(unknown);
    twist.fill(unknown);
    std::array<float, 2 * tile_size> weight_slopes{}, stretch_slopes{}, twist_slopes{};
    bool has_endpoints = false;
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      const auto slope = std::find_if(
          lanes_[lane].begin(), lanes_[lane].end(),
          [&](const SkinSlope& s) { return static_cast<std::uint32_t>(s.at.bone) == bone; });
      if (slope == lanes_[lane].end()) continue;
      const auto [s, t] = directions_[lane];
      const auto project = [&, s = s, t = t](const Vec3& gradient, float* to) {
        to[lane] = static_cast<float>(dot(gradient, s));
        to[tile_size + lane] = static_cast<float>(dot(gradient, t));
      };
      stretch[lane] = static_cast<float>(slope->at.stretch_endpoint);
      twist[lane] = static_cast<float>(slope->at.twist_endpoint);
      project(slope->weight, weight_slopes.data());
      project(slope->stretch * slope->at.weight, stretch_slopes.data());
      project(slope->twist * slope->at.weight, twist_slopes.data());
      has_endpoints = has_endpoints || matters_at_endpoints(*slope);
    }
    const auto append = [](const auto& from, std::vector<float>& to) {
      to.insert(to.end(), from.begin(), from.end());
    };
    Slope made{entry_with(tile, bone, stretch, twist), no_endpoints};
    append(weight_slopes, block_.weight_slopes);
    if (has_endpoints) {
      made.endpoints =
          static_cast<std::uint32_t>(block_.stretch_slopes.size() / stretch_slopes.size());
      append(stretch_slopes, block_.stretch_slopes);
      if (!packed_.raw_twist.empty()) append(twist_slopes, block_.twist_slopes);
    }
    block_.slopes.push_back(made);
  }

  // The entry with these endpoint weights: the tile's own, or a new one of the block.
  std::uint32_t entry_with(std::size_t tile, std::uint32_t bone, const Lanes& stretch,
                           const Lanes& twist) {
    const auto lanes_of = [](auto& floats, std::uint32_t entry) {
      return std::span(floats).subspan(entry * tile_size, floats.empty() ? 0 : tile_size);
    };
    const std::uint32_t own = own_entry(packed_, tile, bone);
    const bool has_twists = !packed_.raw_twist.empty();
    if (own != no_entry) {
      const auto weights = lanes_of(std::as_const(packed_.weights), own);
      const auto own_stretch = lanes_of(packed_.raw_stretch, own);
      const auto own_twist = has_twists ? lanes_of(packed_.raw_twist, own) : own_stretch;
      if (can_take(stretch, weights, own_stretch) && can_take(twist, weights, own_twist)) {
        take(stretch, weights, own_stretch);
        take(twist, weights, own_twist);
        return own;
      }
    }
    const std::size_t added = block_.bones.size();
    block_.bones.push_back(bone);
    block_.raw_stretch.resize((added + 1) * tile_size);
    fill(stretch, std::span(block_.raw_stretch).subspan(added * tile_size));
    if (has_twists) {
      block_.raw_twist.resize((added + 1) * tile_size);
      fill(twist, std::span(block_.raw_twist).subspan(added * tile_size));
    }
    return no_entry - static_cast<std::uint32_t>(added);
  }

  PackedRig& packed_;
  const SkinSlopes& slopes_;
  double least_;
  BlockSlopes& block_;
  SkinSlopes::Fan fan_;
  std::array<std::vector<SkinSlope>, tile_size> lanes_;
  std::array<PlaneDirections, tile_size> directions_;
  std::vector<std::uint32_t> bones_, only_endpoints_;
};

// Makes room for all blocks at once: vectors that grow take twice the memory for a moment.
void reserve(PackedRig& packed, const std::vector<BlockSlopes>& blocks) {
  const auto more = [&](auto member, auto& to) {
    std::size_t size = to.size();
    for (const BlockSlopes& block : blocks) size += (block.*member).size();
    to.reserve(size);
  };
  more(&BlockSlopes::bones, packed.entries);
  more(&BlockSlopes::raw_stretch, packed.raw_stretch);
  more(&BlockSlopes::raw_twist, packed.raw_twist);
  more(&BlockSlopes::slopes, packed.slopes);
  more(&BlockSlopes::weight_slopes, packed.weight_slopes);
  more(&BlockSlopes::stretch_slopes, packed.raw_stretch_slopes);
  more(&BlockSlopes::twist_slopes, packed.raw_twist_slopes);
}

void append(PackedRig& packed, std::size_t first_tile, const BlockSlopes& block) {
  const auto add = [](const std::vector<float>& from, auto& to) {
    to.insert(to.end(), from.begin(), from.end());
  };
  const auto first_entry = static_cast<std::uint32_t>(packed.entries.size());
  const auto first_slope = static_cast<std::uint32_t>(packed.slopes.size());
  const auto first_endpoints =
      static_cast<std::uint32_t>(packed.raw_stretch_slopes.size() / (2 * tile_size));
  for (const std::uint32_t bone : block.bones) packed.entries.push_back({.bone = bone});
  for (Slope slope : block.slopes) {
    if (const std::uint32_t back = no_entry - slope.entry; back < block.bones.size()) {
      slope.entry = first_entry + back;
    }
    if (slope.endpoints != no_endpoints) slope.endpoints += first_endpoints;
    packed.slopes.push_back(slope);
  }
  for (std::size_t k = 0; k < block.ends.size(); ++k) {
    packed.first_slope[first_tile + k + 1] = first_slope + block.ends[k];
    packed.weight_slope_counts[first_tile + k] = block.with_weights[k];
  }
  add(block.raw_stretch, packed.raw_stretch);
  add(block.raw_twist, packed.raw_twist);
  add(block.weight_slopes, packed.weight_slopes);
  add(block.stretch_slopes, packed.raw_stretch_slopes);
  add(block.twist_slopes, packed.raw_twist_slopes);
}

}  // namespace

PlaneDirections directions_at(const PackedRig& packed, std::size_t slot) {
  const Vec3 s = load(packed.directions, slot);
  return {s, cross(normalized(load(packed.normals, slot), Vec3{}), s)};
}

void pack_directions(PackedRig& packed) {
  packed.directions.resize(packed.normals.size());
  parallel_for(packed.order.size(), block_size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot) {
      const Vec3 n = normalized(load(packed.normals, slot), Vec3{0, 0, 1});
      const Vec3 s = any_perpendicular(n);
      for (std::size_t k = 0; k < 3; ++k) {
        packed.directions[first_of(slot) + k * tile_size] = static_cast<float>(s[k]);
      }
    }
  });
}

namespace {

std::vector<BlockSlopes> slopes_of(PackedRig& packed, const Rig& rig, std::vector<Vec3> normals) {
  const SkinRows rows = unfiltered_skin_rows(rig);
  const SkinSlopes slopes(rig.mesh.positions, rig.mesh.triangles, normals, rows);
  normals = {};
  const double size = bounding_box(rig.mesh.positions).diagonal();
  pack_directions(packed);
  std::vector<BlockSlopes> blocks((packed.tile_count + tiles_per_block - 1) / tiles_per_block);
  parallel_for(packed.tile_count, tiles_per_block, [&](std::size_t begin, std::size_t end) {
    TileSlopes tiles(packed, slopes, size, blocks[begin / tiles_per_block]);
    for (std::size_t tile = begin; tile < end; ++tile) tiles.add(tile);
  });
  return blocks;
}

}  // namespace

void pack_slopes(PackedRig& packed, const Rig& rig, std::vector<Vec3> normals) {
  std::vector<BlockSlopes> blocks = slopes_of(packed, rig, std::move(normals));
  reserve(packed, blocks);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    append(packed, i * tiles_per_block, blocks[i]);
    blocks[i] = {};
  }
  if (packed.slopes.empty()) packed.directions = {};
}

}  // namespace sinew::kernels
