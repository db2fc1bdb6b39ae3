// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>

#include "sinew/core/parallel.h"
#include "sinew/kernels/detail/pack.h"

namespace sinew::kernels {
namespace {

constexpr float unset = -1;

// Fills the entries of one tile after the other.
class TileEntries {
 public:
  TileEntries(PackedRig& packed, const SkinReader& reader)
      : packed_(packed), reader_(reader), place_(packed.bone_count + 1, none) {}

  // Whether a vertex has no influences.
  bool fill(std::size_t tile) {
    read(tile);
    const std::size_t first = packed_.first_entry[tile];
    for (std::size_t i = 0; i < bones_.size(); ++i) packed_.entries[first + i].bone = bones_[i];
    blocks(packed_.raw_stretch, first, unset);
    if (!packed_.raw_twist.empty()) blocks(packed_.raw_twist, first, unset);
    bool has_still = false;
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      has_still = fill_lane(first, lane) || has_still;
    }
    share_endpoints(packed_.raw_stretch, first);
    if (!packed_.raw_twist.empty()) share_endpoints(packed_.raw_twist, first);
    for (const std::uint32_t bone : bones_) place_[bone] = none;
    return has_still;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  // The influences of the tile's lanes, and all of their bones, which ascend.
  void read(std::size_t tile) {
    rows_.items.clear();
    rows_.offsets.resize(1);
    bones_.clear();
    const auto add = [&](std::uint32_t bone) {
      if (place_[bone] == none) bones_.push_back(bone);
      place_[bone] = 0;
    };
    for (const std::uint32_t v : std::span(packed_.order).subspan(tile * tile_size, tile_size)) {
      reader_.each_influence(v, [&](const SkinInfluence& influence) {
        rows_.items.push_back(influence);
        add(static_cast<std::uint32_t>(influence.bone));
      });
      rows_.end_row();
      if (rows_[rows_.size() - 1].empty()) add(static_cast<std::uint32_t>(packed_.bone_count));
    }
    std::sort(bones_.begin(), bones_.end());
    for (std::uint32_t i = 0; i < bones_.size(); ++i) place_[bones_[i]] = i;
  }

  std::span<float> blocks(std::vector<float>& of, std::size_t first, float value) const {
    const auto all = std::span(of).subspan(first * tile_size, bones_.size() * tile_size);
    std::fill(all.begin(), all.end(), value);
    return all;
  }

  // Whether the lane's vertex has no influences.
  bool fill_lane(std::size_t first, std::size_t lane) {
    const auto row = rows_[lane];
    const auto bit = static_cast<std::uint16_t>(1u << lane);
    if (row.empty()) {
      const std::size_t entry = first + place_[packed_.bone_count];
      packed_.weights[entry * tile_size + lane] = 1;
      packed_.entries[entry].pivot_lanes |= bit;
      return true;
    }
    const auto pivot = std::max_element(
        row.begin(), row.end(), [](const auto& a, const auto& b) { return a.weight < b.weight; });
    packed_.entries[first + place_[pivot->bone]].pivot_lanes |= bit;
    for (const SkinInfluence& influence : row) {
      const std::size_t at = (first + place_[influence.bone]) * tile_size + lane;
      packed_.weights[at] += static_cast<float>(influence.weight);
      packed_.raw_stretch[at] = static_cast<float>(influence.stretch_endpoint);
      if (packed_.raw_twist.empty()) continue;
      packed_.raw_twist[at] = static_cast<float>(influence.twist_endpoint);
    }
    return false;
  }

  // Lanes that an entry does not move copy the endpoint weights of one that it moves, so that they
  // are constant wherever possible.
  void share_endpoints(std::vector<float>& raw, std::size_t first) const {
    for (std::size_t entry = first; entry < first + bones_.size(); ++entry) {
      const auto block = std::span(raw).subspan(entry * tile_size, tile_size);
      const auto known = std::find_if(block.begin(), block.end(), [](float e) { return e >= 0; });
      std::replace_if(
          block.begin(), block.end(), [](float e) { return e < 0; },
          known == block.end() ? 0.0f : *known);
    }
  }

  PackedRig& packed_;
  const SkinReader& reader_;
  Rows<SkinInfluence> rows_;          // per lane
  std::vector<std::uint32_t> bones_;  // of the tile
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
  packed.has_still = has_still;
}

}  // namespace sinew::kernels
