// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "sinew/core/parallel.h"
#include "sinew/deform/internal/skin_slopes.h"
#include "sinew/kernels/detail/pack.h"

namespace sinew::kernels {
namespace {

constexpr float unknown = -1;
// Slopes are dropped if they would rotate a normal by less than this many radians when two bones
// are one model size apart.
constexpr double negligible_turn = 1e-5;

// The bones of some tiles, in order, 16 or twice 16 floats for each.
struct BlockSlopes {
  std::vector<std::size_t> counts;          // of bones, per tile
  std::vector<std::uint32_t> with_weights;  // per tile: how many of them have slopes of weights
  std::vector<std::uint32_t> bones;         // in each tile, those with slopes of weights first
  std::vector<std::uint8_t> has_endpoints;  // whether the next of the last two are its own
  std::vector<float> stretch, twist;        // endpoint weights, or unknown
  std::vector<float> weight_slopes;
  std::vector<float> stretch_slopes, twist_slopes;  // times the weight
};

// Index of the first of a lane's three floats.
std::size_t first_of(std::size_t slot) {
  return slot / tile_size * 3 * tile_size + slot % tile_size;
}

Vec3 load(const AlignedFloats& from, std::size_t slot) {
  const std::size_t at = first_of(slot);
  return {static_cast<double>(from[at]), static_cast<double>(from[at + tile_size]),
          static_cast<double>(from[at + 2 * tile_size])};
}

class TileSlopes {
 public:
  TileSlopes(const PackedRig& packed, const SkinSlopes& slopes, double size)
      : packed_(packed), slopes_(slopes), least_(negligible_turn / size) {}

  void add(std::size_t tile, BlockSlopes& block) {
    bones_.clear();
    only_endpoints_.clear();
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      const std::size_t slot = tile * tile_size + lane;
      slopes_.at(packed_.order[slot], lanes_[lane]);
      directions_[lane] = directions_at(packed_, slot);
      for (const SkinSlope& slope : lanes_[lane]) {
        const auto bone = static_cast<std::uint32_t>(slope.at.bone);
        if (matters(slope.weight)) put(bone, bones_);
        if (matters_at_endpoints(slope)) put(bone, only_endpoints_);
      }
    }
    block.with_weights.push_back(static_cast<std::uint32_t>(bones_.size()));
    std::erase_if(only_endpoints_, [&](std::uint32_t bone) {
      return std::binary_search(bones_.begin(), bones_.end(), bone);
    });
    bones_.insert(bones_.end(), only_endpoints_.begin(), only_endpoints_.end());
    block.counts.push_back(bones_.size());
    for (const std::uint32_t bone : bones_) add_bone(bone, block);
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

  void add_bone(std::uint32_t bone, BlockSlopes& block) const {
    const std::size_t first = block.stretch.size();
    block.bones.push_back(bone);
    block.stretch.resize(first + tile_size, unknown);
    block.twist.resize(first + tile_size, unknown);
    block.weight_slopes.resize(2 * (first + tile_size), 0.0f);
    std::array<float, 2 * tile_size> stretch{}, twist{};
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
      block.stretch[first + lane] = static_cast<float>(slope->at.stretch_endpoint);
      block.twist[first + lane] = static_cast<float>(slope->at.twist_endpoint);
      project(slope->weight, block.weight_slopes.data() + 2 * first);
      project(slope->stretch * slope->at.weight, stretch.data());
      project(slope->twist * slope->at.weight, twist.data());
      has_endpoints = has_endpoints || matters_at_endpoints(*slope);
    }
    block.has_endpoints.push_back(has_endpoints ? 1 : 0);
    if (!has_endpoints) return;
    block.stretch_slopes.insert(block.stretch_slopes.end(), stretch.begin(), stretch.end());
    block.twist_slopes.insert(block.twist_slopes.end(), twist.begin(), twist.end());
  }

  const PackedRig& packed_;
  const SkinSlopes& slopes_;
  double least_;
  std::array<std::vector<SkinSlope>, tile_size> lanes_;
  std::array<PlaneDirections, tile_size> directions_;
  std::vector<std::uint32_t> bones_, only_endpoints_;
};

constexpr std::size_t no_entry = static_cast<std::size_t>(-1);

// The tile's own entry for the bone, if it has one.
std::size_t own_entry(const PackedRig& packed, std::size_t tile, std::uint32_t bone) {
  const auto first = packed.entries.begin() + packed.first_entry[tile];
  const auto last = packed.entries.begin() + packed.first_entry[tile + 1];
  const auto found = std::lower_bound(
      first, last, bone, [](const Entry& entry, std::uint32_t b) { return entry.bone < b; });
  return found != last && found->bone == bone
             ? static_cast<std::size_t>(found - packed.entries.begin())
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

// The entry with these endpoint weights: the tile's own, or a new one after all others.
std::uint32_t entry_with(PackedRig& packed, std::size_t tile, std::uint32_t bone,
                         std::span<const float> stretch, std::span<const float> twist) {
  const auto stretch_of = [&](std::size_t entry) {
    return std::span(packed.raw_stretch).subspan(entry * tile_size, tile_size);
  };
  const auto twist_of = [&](std::size_t entry) {
    return std::span(packed.raw_twist).subspan(entry * tile_size, tile_size);
  };
  const std::size_t own = own_entry(packed, tile, bone);
  if (own != no_entry) {
    const auto weights = std::span<const float>(packed.weights).subspan(own * tile_size, tile_size);
    if (can_take(stretch, weights, stretch_of(own)) && can_take(twist, weights, twist_of(own))) {
      take(stretch, weights, stretch_of(own));
      take(twist, weights, twist_of(own));
      return static_cast<std::uint32_t>(own);
    }
  }
  const std::size_t added = packed.entries.size();
  packed.entries.push_back({.bone = bone});
  packed.raw_stretch.resize((added + 1) * tile_size);
  packed.raw_twist.resize((added + 1) * tile_size);
  fill(stretch, stretch_of(added));
  fill(twist, twist_of(added));
  return static_cast<std::uint32_t>(added);
}

void append(PackedRig& packed, std::size_t first_tile, const BlockSlopes& block) {
  const auto floats = [](const std::vector<float>& from, std::size_t i, std::size_t size) {
    return std::span(from).subspan(i * size, size);
  };
  std::size_t next = 0, next_endpoints = 0;
  for (std::size_t k = 0; k < block.counts.size(); ++k) {
    for (const std::size_t last = next + block.counts[k]; next < last; ++next) {
      Slope slope{
          entry_with(packed, first_tile + k, block.bones[next],
                     floats(block.stretch, next, tile_size), floats(block.twist, next, tile_size)),
          no_endpoints};
      if (block.has_endpoints[next] != 0) {
        const auto stretch = floats(block.stretch_slopes, next_endpoints, 2 * tile_size);
        const auto twist = floats(block.twist_slopes, next_endpoints++, 2 * tile_size);
        slope.endpoints =
            static_cast<std::uint32_t>(packed.raw_stretch_slopes.size() / (2 * tile_size));
        packed.raw_stretch_slopes.insert(packed.raw_stretch_slopes.end(), stretch.begin(),
                                         stretch.end());
        packed.raw_twist_slopes.insert(packed.raw_twist_slopes.end(), twist.begin(), twist.end());
      }
      packed.slopes.push_back(slope);
    }
    packed.first_slope[first_tile + k + 1] = static_cast<std::uint32_t>(packed.slopes.size());
    packed.weight_slope_counts[first_tile + k] = block.with_weights[k];
  }
  packed.weight_slopes.insert(packed.weight_slopes.end(), block.weight_slopes.begin(),
                              block.weight_slopes.end());
}

}  // namespace

PlaneDirections directions_at(const PackedRig& packed, std::size_t slot) {
  const Vec3 s = load(packed.directions, slot);
  return {s, cross(normalized(load(packed.normals, slot), Vec3{}), s)};
}

void pack_directions(PackedRig& packed) {
  packed.directions.resize(packed.normals.size());
  for (std::size_t slot = 0; slot < packed.order.size(); ++slot) {
    const Vec3 n = normalized(load(packed.normals, slot), Vec3{0, 0, 1});
    const Vec3 s = any_perpendicular(n);
    for (std::size_t k = 0; k < 3; ++k) {
      packed.directions[first_of(slot) + k * tile_size] = static_cast<float>(s[k]);
    }
  }
}

void pack_slopes(PackedRig& packed, const Mesh& mesh, const std::vector<Vec3>& normals,
                 const SkinRows& rows) {
  const SkinSlopes slopes(mesh.positions, mesh.triangles, normals, rows);
  const double size = bounding_box(mesh.positions).diagonal();
  pack_directions(packed);
  std::vector<BlockSlopes> blocks((packed.tile_count + tiles_per_block - 1) / tiles_per_block);
  parallel_for(packed.tile_count, tiles_per_block, [&](std::size_t begin, std::size_t end) {
    TileSlopes tiles(packed, slopes, size);
    for (std::size_t tile = begin; tile < end; ++tile) {
      tiles.add(tile, blocks[begin / tiles_per_block]);
    }
  });
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    append(packed, i * tiles_per_block, blocks[i]);
    blocks[i] = {};
  }
  if (packed.slopes.empty()) packed.directions = {};
}

}  // namespace sinew::kernels
