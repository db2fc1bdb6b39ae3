// SPDX-License-Identifier: Apache-2.0
// Which bones some tiles have, so that those of a few of them are looked up without searching.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "sinew/kernels/detail/packed.h"

namespace sinew::kernels {

// The bones of some tiles, each with a number, and for each tile the set of those it has.
class LocalBones {
 public:
  static constexpr std::size_t most = 64;
  struct Set {
    std::uint64_t numbers = 0;
    // Per number: 16 times the bone's place among the tile's entries, and 1; or both 0.
    std::array<std::uint16_t, most> places{};
    std::array<float, most> shares{};
  };

  explicit LocalBones(const PackedRig& packed)
      : packed_(packed), number_of_(packed.bone_count + 1, none), table_(64) {}

  // None for a tile with a bone that is one too many, or never moves.
  const Set* set_of(std::size_t tile) {
    for (std::size_t i = tile;; ++i) {
      Known& known = table_[i & (table_.size() - 1)];
      if (known.tile == tile) return known.set;
      if (known.tile == no_tile) break;
    }
    if (2 * (known_ + 1) > table_.size()) grow();
    const Set* set = find_set(tile);
    enter({tile, set});
    ++known_;
    return set;
  }

  std::uint32_t bone(std::size_t number) const { return bones_[number]; }

 private:
  static constexpr std::uint8_t none = 0xff;
  static constexpr std::size_t no_tile = ~std::size_t{0};
  struct Known {
    std::size_t tile = no_tile;
    const Set* set = nullptr;
  };

  void enter(const Known& known) {
    std::size_t i = known.tile;
    while (table_[i & (table_.size() - 1)].tile != no_tile) ++i;
    table_[i & (table_.size() - 1)] = known;
  }

  void grow() {
    std::vector<Known> old(2 * table_.size());
    std::swap(old, table_);
    for (const Known& known : old) {
      if (known.tile != no_tile) enter(known);
    }
  }

  const Set* find_set(std::size_t tile) {
    std::uint64_t numbers = 0;
    const std::size_t first = packed_.first_entry[tile], last = packed_.first_entry[tile + 1];
    for (std::size_t i = first; i < last; ++i) {
      const std::uint32_t bone = packed_.entries[i].bone;
      if (bone == packed_.bone_count) return nullptr;
      std::uint8_t& number = number_of_[bone];
      if (number == none) {
        if (bones_.size() == most) return nullptr;
        number = static_cast<std::uint8_t>(bones_.size());
        bones_.push_back(bone);
      }
      numbers |= std::uint64_t{1} << number;
    }
    const auto found = std::find(numbers_.begin(), numbers_.end(), numbers);
    if (found != numbers_.end()) return &sets_[std::size_t(found - numbers_.begin())];
    numbers_.push_back(numbers);
    Set& set = sets_.emplace_back();
    set.numbers = numbers;
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t number = number_of_[packed_.entries[i].bone];
      set.places[number] = static_cast<std::uint16_t>((i - first) * tile_size);
      set.shares[number] = 1;
    }
    return &set;
  }

  const PackedRig& packed_;
  std::vector<std::uint8_t> number_of_;  // per bone
  std::vector<std::uint32_t> bones_;     // per number
  std::vector<std::uint64_t> numbers_;   // of each set
  std::deque<Set> sets_;
  std::vector<Known> table_;  // a hash table with linear probing
  std::size_t known_ = 0;
};

}  // namespace sinew::kernels
