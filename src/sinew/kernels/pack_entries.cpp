// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "sinew/core/parallel.h"
#include "sinew/kernels/detail/pack.h"

namespace sinew::kernels {
namespace {

// Fills the entries of one tile after the other.
class TileEntries {
 public:
  TileEntries(PackedRig& packed, const SkinReader& reader)
      : packed_(packed), reader_(reader), place_(packed.bone_count + 1, none) {}

  // Whether a vertex has no influences.
  bool fill(std::size_t tile) {
    const auto vertices = std::span(packed_.order).subspan(tile * tile_size, tile_size);
    find_bones(vertices);
    const std::size_t first = packed_.first_entry[tile];
    for (std::size_t i = 0; i < bones_.size(); ++i) packed_.entries[first + i].bone = bones_[i];
    known_.assign(bones_.size(), 0);
    bool has_still = false;
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      has_still = fill_lane(first, lane, vertices[lane]) || has_still;
    }
    share_endpoints(packed_.raw_stretch, first);
    if (!packed_.raw_twist.empty()) share_endpoints(packed_.raw_twist, first);
    for (const std::uint32_t bone : bones_) place_[bone] = none;
    return has_still;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::uint16_t all_lanes = 0xffff;

  // All bones of the vertices, which ascend.
  void find_bones(std::span<const std::uint32_t> vertices) {
    bones_.clear();
    const auto add = [&](std::uint32_t bone) {
      if (place_[bone] == none) bones_.push_back(bone);
      place_[bone] = 0;
    };
    for (const std::uint32_t v : vertices) {
      bool is_still = true;
      reader_.each_bone(v, [&](BoneIndex bone) {
        add(static_cast<std::uint32_t>(bone));
        is_still = false;
      });
      if (is_still) add(static_cast<std::uint32_t>(packed_.bone_count));
    }
    std::sort(bones_.begin(), bones_.end());
    for (std::uint32_t i = 0; i < bones_.size(); ++i) place_[bones_[i]] = i;
  }

  // Whether the lane's vertex has no influences.
  bool fill_lane(std::size_t first, std::size_t lane, std::uint32_t vertex) {
    const auto bit = static_cast<std::uint16_t>(1u << lane);
    std::uint32_t pivot = none;
    double largest = 0;
    reader_.each_influence(vertex, [&](const SkinInfluence& influence) {
      const std::uint32_t place = place_[influence.bone];
      const std::size_t at = (first + place) * tile_size + lane;
      packed_.weights[at] += static_cast<float>(influence.weight);
      packed_.raw_stretch[at] = static_cast<float>(influence.stretch_endpoint);
      if (!packed_.raw_twist.empty()) {
        packed_.raw_twist[at] = static_cast<float>(influence.twist_endpoint);
      }
      known_[place] |= bit;
      if (pivot == none || influence.weight > largest) {
        pivot = place;
        largest = influence.weight;
      }
    });
    const bool is_still = pivot == none;
    if (is_still) {
      pivot = place_[packed_.bone_count];
      packed_.weights[(first + pivot) * tile_size + lane] = 1;
    }
    packed_.entries[first + pivot].pivot_lanes |= bit;
    return is_still;
  }

  // Lanes that an entry does not move copy the endpoint weights of one that it moves, so that they
  // are constant wherever possible.
  void share_endpoints(std::vector<float>& raw, std::size_t first) const {
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      const std::uint16_t known = known_[i];
      if (known == all_lanes || known == 0) continue;  // none: all are 0
      const auto block = std::span(raw).subspan((first + i) * tile_size, tile_size);
      const float shared = block[static_cast<std::size_t>(std::countr_zero(known))];
      for (std::size_t lane = 0; lane < tile_size; ++lane) {
        if ((known >> lane & 1) == 0) block[lane] = shared;
      }
    }
  }

  PackedRig& packed_;
  const SkinReader& reader_;
  std::vector<std::uint32_t> bones_;  // of the tile
  std::vector<std::uint16_t> known_;  // of each: the lanes that it moves, bit by bit
  std::vector<std::uint32_t> place_;  // per bone: among those of the tile
};

}  // namespace

void pack_entries(PackedRig& packed, const SkinReader& reader) {
  const std::size_t count = packed.first_entry.back();
  packed.entries.resize(count);
  packed.weights.resize(count * tile_size);
  packed.raw_stretch.resize(count * tile_size);
  if (reader.has_twists()) packed.raw_twist.resize(count * tile_size);
  std::atomic<bool> has_still = false;
  parallel_for(packed.tile_count, tiles_per_block, [&](std::size_t begin, std::size_t end) {
    TileEntries entries(packed, reader);
    bool found = false;
    for (std::size_t tile = begin; tile < end; ++tile) found = entries.fill(tile) || found;
    if (found) has_still = true;
  });
  if (!has_still) return;
  for (std::uint32_t v = 0; v < packed.vertex_count; ++v) {
    bool is_still = true;
    reader.each_influence(v, [&](const SkinInfluence&) { is_still = false; });
    if (is_still) packed.still.push_back(v);
  }
}

}  // namespace sinew::kernels
