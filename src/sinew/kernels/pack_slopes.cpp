// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/kernels/detail/block_sums.h"
#include "sinew/kernels/detail/pack.h"

namespace sinew::kernels {
namespace {

// Slopes are dropped if they would rotate a normal by less than this many radians when two bones
// are one model size apart.
constexpr float negligible_turn = 1e-5f;

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

// Packs the slopes of one tile of a block after the other. Of the packed rig, it changes the
// endpoint weights of that tile's own entries, in lanes that they do not move.
class TileSlopes {
 public:
  // `unit` turns a slope in the sums' unit of length into one of the mesh's.
  TileSlopes(PackedRig& packed, const BlockSums& sums, double unit, BlockSlopes& block)
      : packed_(packed), sums_(sums), unit_(static_cast<float>(unit)), block_(block) {}

  void add(std::size_t tile) {
    bones_.clear();
    for (std::size_t entry = packed_.first_entry[tile]; entry < packed_.first_entry[tile + 1];
         ++entry) {
      if (sums_.changes(entry)) bones_.push_back(packed_.entries[entry].bone);
    }
    const std::size_t first_place = tile % tiles_per_block * tile_size;
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      sums_.each_extra(first_place + lane, [&](std::uint32_t bone, const Sums&, const TwistSums&) {
        if (std::find(bones_.begin(), bones_.end(), bone) == bones_.end()) bones_.push_back(bone);
      });
    }
    if (!bones_.empty()) {
      std::sort(bones_.begin(), bones_.end());
      set_plane(tile);
    }
    measured_.clear();
    for (const std::uint32_t bone : bones_) measure(tile, bone, measured_.emplace_back());
    balance();
    std::uint32_t with_weights = 0;
    for (const Measured& measured : measured_) {
      if (!measured.weight_matters) continue;
      append(measured);
      ++with_weights;
    }
    block_.with_weights.push_back(with_weights);
    for (const Measured& measured : measured_) {
      if (!measured.weight_matters && measured.endpoints_matter) append(measured);
    }
    block_.ends.push_back(static_cast<std::uint32_t>(block_.slopes.size()));
  }

 private:
  using Vectors = std::array<Lanes, 3>;
  // The slopes of one bone, as they are packed.
  struct Measured {
    std::uint32_t bone = 0;
    Lanes weight;          // of the vertices
    Lanes stretch, twist;  // endpoint weights, where the bone has some
    std::uint32_t own = no_entry;
    std::array<float, 2 * tile_size> weight_slopes, stretch_slopes, twist_slopes;
    bool weight_matters, endpoints_matter;
  };

  // Directions of the tangent planes, and areas.
  void set_plane(std::size_t tile) {
    const auto load = [&](const AlignedFloats& from, Vectors& to) {
      for (std::size_t k = 0; k < 3; ++k) {
        std::copy_n(&from[(tile * 3 + k) * tile_size], tile_size, to[k].begin());
      }
    };
    Vectors n;
    load(packed_.normals, n);
    load(packed_.directions, s_);
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      const float x = n[0][lane], y = n[1][lane], z = n[2][lane];
      const float square = x * x + y * y + z * z;
      const float inverse = square > 0 ? 1 / std::sqrt(square) : 0;
      const float sx = s_[0][lane], sy = s_[1][lane], sz = s_[2][lane];
      t_[0][lane] = (y * sz - z * sy) * inverse;
      t_[1][lane] = (z * sx - x * sz) * inverse;
      t_[2][lane] = (x * sy - y * sx) * inverse;
    }
    const std::size_t first_place = tile % tiles_per_block * tile_size;
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      const float area = sums_.areas(first_place)[lane];
      inverse_area_[lane] = area > 0 ? 1 / area : 0;
    }
  }

  // Gradients, multiplied by `factor`, along both directions; whether any matters.
  bool project(const Vectors& g, const Lanes& factor, std::span<float, 2 * tile_size> to) const {
    float largest = 0;
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      const float x = g[0][lane], y = g[1][lane], z = g[2][lane], f = factor[lane];
      to[lane] = (x * s_[0][lane] + y * s_[1][lane] + z * s_[2][lane]) * (f * unit_);
      to[tile_size + lane] = (x * t_[0][lane] + y * t_[1][lane] + z * t_[2][lane]) * (f * unit_);
      largest = std::max(largest, (x * x + y * y + z * z) * (f * f));
    }
    return largest > negligible_turn * negligible_turn;
  }

  void measure(std::size_t tile, std::uint32_t bone, Measured& to) const {
    to.bone = bone;
    Vectors weight, stretch, twist;
    Lanes known_area;
    const bool has_twists = !packed_.raw_twist.empty();
    const auto put = [&](std::size_t lane, const Sums& sums) {
      for (std::size_t k = 0; k < 3; ++k) {
        weight[k][lane] = sums.numbers[k];
        stretch[k][lane] = sums.numbers[4 + k];
      }
      to.stretch[lane] = sums.numbers[3];
      known_area[lane] = sums.numbers[7];
    };
    const auto put_twist = [&](std::size_t lane, const TwistSums& sums) {
      for (std::size_t k = 0; k < 3; ++k) twist[k][lane] = sums.numbers[k];
      to.twist[lane] = sums.numbers[3];
    };
    Lanes& own_weight = to.weight;
    own_weight.fill(0);
    to.own = own_entry(packed_, tile, bone);
    if (to.own != no_entry) {
      const std::size_t first = to.own * tile_size;
      std::copy_n(&packed_.weights[first], tile_size, own_weight.begin());
      const auto take_own = [&](const std::vector<float>& raw, Lanes& known) {
        for (std::size_t lane = 0; lane < tile_size; ++lane) {
          const float own = raw[first + lane];
          known[lane] = own_weight[lane] != 0 ? own : known[lane];
        }
      };
      const Sums* sums = sums_.entry(to.own);
      for (std::size_t lane = 0; lane < tile_size; ++lane) put(lane, sums[lane]);
      take_own(packed_.raw_stretch, to.stretch);
      if (has_twists) {
        const TwistSums* twists = sums_.twists(to.own);
        for (std::size_t lane = 0; lane < tile_size; ++lane) put_twist(lane, twists[lane]);
        take_own(packed_.raw_twist, to.twist);
      }
    } else {
      const std::size_t first_place = tile % tiles_per_block * tile_size;
      for (std::size_t lane = 0; lane < tile_size; ++lane) {
        put(lane, {});
        put_twist(lane, {});
        sums_.each_extra(first_place + lane,
                         [&](std::uint32_t b, const Sums& sums, const TwistSums& twists) {
                           if (b != bone) return;
                           put(lane, sums);
                           put_twist(lane, twists);
                         });
      }
    }
    to.weight_matters = project(weight, inverse_area_, to.weight_slopes);
    Lanes factor;
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      factor[lane] = known_area[lane] > 0 ? own_weight[lane] / known_area[lane] : 0;
    }
    to.endpoints_matter = project(stretch, factor, to.stretch_slopes);
    if (!has_twists) return;
    to.endpoints_matter = project(twist, factor, to.twist_slopes) || to.endpoints_matter;
  }

  // The weights of a vertex add up to 1, so that their slopes add up to 0, but for rounding: what
  // is left goes to the largest, since it would count with the distance from the origin.
  void balance() {
    for (std::size_t lane = 0; lane < 2 * tile_size; ++lane) {
      Measured* largest = nullptr;
      float sum = 0;
      for (Measured& measured : measured_) {
        if (!measured.weight_matters) continue;
        sum += measured.weight_slopes[lane];
        const std::size_t at = lane % tile_size;
        if (largest == nullptr || measured.weight[at] > largest->weight[at]) largest = &measured;
      }
      if (largest != nullptr) largest->weight_slopes[lane] -= sum;
    }
  }

  void append(const Measured& measured) {
    const auto add = [](const auto& from, std::vector<float>& to) {
      to.insert(to.end(), from.begin(), from.end());
    };
    Slope made{entry_with(measured), no_endpoints};
    add(measured.weight_slopes, block_.weight_slopes);
    if (measured.endpoints_matter) {
      made.endpoints = static_cast<std::uint32_t>(block_.stretch_slopes.size() / (2 * tile_size));
      add(measured.stretch_slopes, block_.stretch_slopes);
      if (!packed_.raw_twist.empty()) add(measured.twist_slopes, block_.twist_slopes);
    }
    block_.slopes.push_back(made);
  }

  // The entry with these endpoint weights: the tile's own, or a new one of the block.
  std::uint32_t entry_with(const Measured& measured) {
    const auto lanes_of = [](auto& floats, std::uint32_t entry) {
      return std::span(floats).subspan(entry * tile_size, floats.empty() ? 0 : tile_size);
    };
    const std::uint32_t own = measured.own;
    const bool has_twists = !packed_.raw_twist.empty();
    if (own != no_entry) {
      const auto weights = lanes_of(std::as_const(packed_.weights), own);
      const auto own_stretch = lanes_of(packed_.raw_stretch, own);
      const auto own_twist = has_twists ? lanes_of(packed_.raw_twist, own) : own_stretch;
      const Lanes& twist = has_twists ? measured.twist : measured.stretch;
      if (can_take(measured.stretch, weights, own_stretch) && can_take(twist, weights, own_twist)) {
        take(measured.stretch, weights, own_stretch);
        take(twist, weights, own_twist);
        return own;
      }
    }
    const std::size_t added = block_.bones.size();
    block_.bones.push_back(measured.bone);
    block_.raw_stretch.resize((added + 1) * tile_size);
    fill(measured.stretch, std::span(block_.raw_stretch).subspan(added * tile_size));
    if (has_twists) {
      block_.raw_twist.resize((added + 1) * tile_size);
      fill(measured.twist, std::span(block_.raw_twist).subspan(added * tile_size));
    }
    return no_entry - static_cast<std::uint32_t>(added);
  }

  PackedRig& packed_;
  const BlockSums& sums_;
  float unit_;
  BlockSlopes& block_;
  Vectors s_, t_;
  Lanes inverse_area_;
  std::vector<std::uint32_t> bones_;
  std::vector<Measured> measured_;
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
  parallel_for(packed.tile_count, tiles_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t tile = begin; tile < end; ++tile) {
      const float* n = &packed.normals[tile * 3 * tile_size];
      float* s = &packed.directions[tile * 3 * tile_size];
      for (std::size_t lane = 0; lane < tile_size; ++lane) {
        // Across the normal and the first or the second axis, whichever is farther from it.
        const float x = n[lane], y = n[tile_size + lane], z = n[2 * tile_size + lane];
        const float xx = x * x, yy = y * y, zz = z * z, square = xx + yy + zz;
        const bool is_plain = square > 1e-30f && square < 1e30f;
        const bool first = xx < 0.36f * square;
        const float inverse = 1 / std::sqrt(is_plain ? (first ? yy : xx) + zz : 1.0f);
        s[lane] = is_plain && !first ? -z * inverse : 0;
        s[tile_size + lane] = is_plain ? (first ? z * inverse : 0) : 1;
        s[2 * tile_size + lane] = is_plain ? (first ? -y : x) * inverse : 0;
      }
    }
  });
}

void pack_slopes(PackedRig& packed, const Mesh& mesh, const BlockTriangles& triangles) {
  const double size = bounding_box(mesh.positions).diagonal();
  if (!(size > 0)) return;
  pack_directions(packed);
  std::vector<BlockSlopes> blocks(triangles.runs.size());
  parallel_for(packed.tile_count, tiles_per_block, [&](std::size_t begin, std::size_t end) {
    const std::size_t block = begin / tiles_per_block;
    const BlockSums sums = add_up_triangles(packed, mesh, triangles, block, 1 / size);
    BlockSlopes slopes;
    TileSlopes tiles(packed, sums, 1 / size, slopes);
    for (std::size_t tile = begin; tile < end; ++tile) tiles.add(tile);
    blocks[block] = slopes;  // a copy has no room that it does not need
  });
  reserve(packed, blocks);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    append(packed, i * tiles_per_block, blocks[i]);
    blocks[i] = {};
  }
  if (packed.slopes.empty()) packed.directions = {};
}

}  // namespace sinew::kernels
