// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/kernels/detail/pack.h"

namespace sinew::kernels {
namespace {

constexpr std::uint32_t no_set = std::numeric_limits<std::uint32_t>::max();

// The different sets of bones of a block's vertices, numbered as they come. Bones ascend in each.
class BoneSets {
 public:
  BoneSets() : slots_(2 * block_size, no_set) {}

  std::uint32_t number_of(std::span<const std::uint32_t> set) {
    if (sets_.size() > 0 && is(last_, set)) return last_;  // mostly that of the vertex before
    std::size_t hash = 0;
    for (const std::uint32_t bone : set) hash = (hash ^ bone) * 0x9e3779b1u + (hash >> 15);
    for (std::size_t i = hash;; ++i) {
      std::uint32_t& slot = slots_[i % slots_.size()];
      if (slot == no_set) {
        slot = static_cast<std::uint32_t>(sets_.size());
        sets_.push(set);
      } else if (!is(slot, set)) {
        continue;
      }
      return last_ = slot;
    }
  }

  std::size_t size() const { return sets_.size(); }
  std::span<const std::uint32_t> operator[](std::uint32_t number) const { return sets_[number]; }

  // The place of each set when they are sorted; `counts` are the vertices that have each.
  std::vector<std::uint32_t> places(std::span<const std::uint32_t> counts) const {
    std::vector<std::uint32_t> sorted(size()), places(size());
    std::iota(sorted.begin(), sorted.end(), 0u);
    std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto x = sets_[a], y = sets_[b];
      return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    });
    constexpr std::size_t few = 160;  // a matter of time: each is compared with each
    if (size() <= few) sorted = chained(std::move(sorted), counts);
    for (std::uint32_t i = 0; i < sorted.size(); ++i) places[sorted[i]] = i;
    return places;
  }

 private:
  // Each set is followed by the one that adds the fewest bones to the tile that is being filled.
  std::vector<std::uint32_t> chained(std::vector<std::uint32_t> left,
                                     std::span<const std::uint32_t> counts) const {
    std::vector<std::uint64_t> flags(size(), 0);  // bones 64 apart share one
    for (std::uint32_t set = 0; set < size(); ++set) {
      for (const std::uint32_t bone : sets_[set]) flags[set] |= std::uint64_t{1} << bone % 64;
    }
    std::vector<std::uint32_t> order;
    std::uint64_t open = 0;  // bones of the open tile
    std::size_t filled = 0;  // its vertices
    while (!left.empty()) {
      auto best = left.begin();
      int least = std::numeric_limits<int>::max();
      for (auto i = left.begin(); open != 0 && i != left.end(); ++i) {
        // Of those that add as many, the one that shares the most.
        const int added = std::popcount(flags[*i] & ~open);
        const int cost = (1 << 16) * added - static_cast<int>(sets_[*i].size());
        if (cost >= least) continue;
        least = cost;
        best = i;
      }
      const std::uint32_t set = *best;
      left.erase(best);
      order.push_back(set);
      filled += counts[set];
      if (filled >= tile_size) open = 0;
      filled %= tile_size;
      open |= flags[set];
    }
    return order;
  }

  bool is(std::uint32_t number, std::span<const std::uint32_t> set) const {
    const auto known = sets_[number];
    bool same = known.size() == set.size();
    for (std::size_t i = 0; same && i < set.size(); ++i) same = known[i] == set[i];
    return same;
  }

  Rows<std::uint32_t> sets_;
  std::vector<std::uint32_t> slots_;  // a hash table with linear probing
  std::uint32_t last_ = 0;
};

// The vertices [begin, end), and the bones of each.
class Block {
 public:
  Block(const SkinReader& reader, std::size_t begin, std::size_t end, std::size_t bone_count)
      : begin_(begin), set_of_(end - begin), tile_of_(bone_count + 1, 0) {
    std::vector<std::uint32_t> bones;
    for (std::size_t v = begin; v < end; ++v) {
      bones.clear();
      reader.each_bone(v,
                       [&](BoneIndex bone) { bones.push_back(static_cast<std::uint32_t>(bone)); });
      if (bones.empty()) bones.push_back(static_cast<std::uint32_t>(bone_count));
      const auto does_not_ascend = [](std::uint32_t a, std::uint32_t b) { return a >= b; };
      if (std::adjacent_find(bones.begin(), bones.end(), does_not_ascend) != bones.end()) {
        std::sort(bones.begin(), bones.end());
        bones.erase(std::unique(bones.begin(), bones.end()), bones.end());
      }
      set_of_[v - begin] = sets_.number_of(bones);
    }
  }

  // Vertices with the same bones together, otherwise in the mesh's order.
  std::vector<std::uint32_t> sorted_by_bones() const {
    std::vector<std::uint32_t> counts(sets_.size(), 0);
    for (const std::uint32_t set : set_of_) ++counts[set];
    const std::vector<std::uint32_t> places = sets_.places(counts);
    std::vector<std::uint32_t> next(places.size() + 1, 0), order(set_of_.size());
    for (const std::uint32_t set : set_of_) ++next[places[set] + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::size_t i = 0; i < set_of_.size(); ++i) {
      order[next[places[set_of_[i]]]++] = static_cast<std::uint32_t>(begin_ + i);
    }
    return order;
  }

  // How many bones each tile of the vertices in this order has.
  std::vector<std::uint32_t> bones_of_tiles(std::span<const std::uint32_t> order) {
    std::vector<std::uint32_t> counts((order.size() + tile_size - 1) / tile_size, 0);
    for (std::size_t tile = 0; tile < counts.size(); ++tile) {
      ++tile_number_;
      const std::size_t first = tile * tile_size;
      std::uint32_t last = no_set;
      for (std::size_t i = first; i < std::min(first + tile_size, order.size()); ++i) {
        const std::uint32_t set = set_of_[order[i] - begin_];
        if (set == last) continue;
        last = set;
        for (const std::uint32_t bone : sets_[set]) {
          counts[tile] += tile_of_[bone] != tile_number_ ? 1 : 0;
          tile_of_[bone] = tile_number_;
        }
      }
    }
    return counts;
  }

 private:
  std::size_t begin_;
  BoneSets sets_;
  std::vector<std::uint32_t> set_of_;   // per vertex
  std::vector<std::uint32_t> tile_of_;  // per bone: the number of the last tile that has it
  std::uint32_t tile_number_ = 0;
};

}  // namespace

void pack_order(PackedRig& packed, const SkinReader& reader) {
  const std::size_t count = packed.vertex_count;
  packed.tile_count = (count + tile_size - 1) / tile_size;
  packed.order.resize(packed.tile_count * tile_size);
  packed.sorted.resize((count + block_size - 1) / block_size);
  packed.first_entry.assign(packed.tile_count + 1, 0);
  parallel_for(count, block_size, [&](std::size_t begin, std::size_t end) {
    const auto order = std::span(packed.order).subspan(begin, end - begin);
    std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(begin));
    Block block(reader, begin, end, packed.bone_count);
    std::vector<std::uint32_t> counts = block.bones_of_tiles(order);
    const std::vector<std::uint32_t> sorted = block.sorted_by_bones();
    const std::vector<std::uint32_t> sorted_counts = block.bones_of_tiles(sorted);
    const auto sum = [](const std::vector<std::uint32_t>& of) {
      return std::accumulate(of.begin(), of.end(), std::size_t{0});
    };
    // Bringing a tile's results back into order takes about as long as two bones.
    if (sum(sorted_counts) + 2 * counts.size() < sum(counts)) {
      std::copy(sorted.begin(), sorted.end(), order.begin());
      packed.sorted[begin / block_size] = 1;
      counts = sorted_counts;
    }
    std::copy(counts.begin(), counts.end(),
              packed.first_entry.begin() + static_cast<std::ptrdiff_t>(begin / tile_size + 1));
  });
  if (std::any_of(packed.sorted.begin(), packed.sorted.end(), [](auto s) { return s != 0; })) {
    packed.slots.resize(count);
    parallel_for(count, block_size, [&](std::size_t begin, std::size_t end) {
      for (std::size_t slot = begin; slot < end; ++slot) {
        packed.slots[packed.order[slot]] = static_cast<std::uint16_t>(slot - begin);
      }
    });
  }
  for (std::size_t slot = count; slot < packed.order.size(); ++slot) {
    packed.order[slot] = packed.order[count - 1];
  }
}

}  // namespace sinew::kernels
