// SPDX-License-Identifier: Apache-2.0
// Sums over the triangles about each vertex of a block, from which its slopes follow.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sinew/kernels/detail/block_triangles.h"
#include "sinew/kernels/detail/packed.h"

namespace sinew::kernels {

inline constexpr float unknown_endpoint = -1;

// Of one bone at one vertex: sums over the triangles about it, in quads.
struct Sums {
  // Of the gradients of the bone's weight, times twice the area; then its endpoint weight at a
  // neighbour, where it has no weight at the vertex itself. After that those of the endpoint
  // weight, in the triangles that have the bone at all corners; then of twice their areas.
  alignas(16) std::array<float, 8> numbers{0, 0, 0, unknown_endpoint, 0, 0, 0, 0};

  float neighbours_stretch() const { return numbers[3]; }
};
// The same for endpoint weights of the twist, if it has some of its own.
struct TwistSums {
  alignas(16) std::array<float, 4> numbers{0, 0, 0, unknown_endpoint};
};

// A bone that a neighbour brings.
struct ExtraBone {
  std::uint32_t bone = 0, next = 0xffffffff;
  Sums sums;
  TwistSums twists;
};

class BlockSums {
 public:
  // Of the vertices from this place of the block on.
  const float* areas(std::size_t place) const { return &areas_[place]; }
  // Of one of the tiles' own entries, in all lanes; and whether its slopes are not all 0.
  const Sums* entry(std::size_t entry) const { return &sums_[(entry - first_entry_) * tile_size]; }
  const TwistSums* twists(std::size_t entry) const {
    return &twists_[(entry - first_entry_) * tile_size];
  }
  bool changes(std::size_t entry) const {
    const auto is_set = [](const auto& lane) {
      float largest = 0;
      for (std::size_t k = 0; k < lane.numbers.size(); ++k) {
        if (k % 4 != 3) largest = std::max(largest, std::fabs(lane.numbers[k]));
      }
      return largest > 0;
    };
    const Sums* sums = this->entry(entry);
    if (std::any_of(sums, sums + tile_size, is_set)) return true;
    return !twists_.empty() && std::any_of(twists(entry), twists(entry) + tile_size, is_set);
  }
  // use(bone, sums, twists) for the bones that the vertex's tile does not have.
  template <class Use>
  void each_extra(std::size_t place, const Use& use) const {
    for (std::uint32_t i = first_extra_[place]; i != no_bone; i = extras_[i].next) {
      use(extras_[i].bone, extras_[i].sums, extras_[i].twists);
    }
  }

 private:
  friend class SumsMaker;
  static constexpr std::uint32_t no_bone = 0xffffffff;

  std::size_t first_entry_ = 0;
  std::vector<Sums> sums_;                  // 16 for each entry of the block's tiles
  std::vector<TwistSums> twists_;           // the same, or empty
  std::vector<float> areas_;                // per place in the block
  std::vector<std::uint32_t> first_extra_;  // the same
  std::vector<ExtraBone> extras_;
};

// Lengths are multiplied by `scale`, so that floats have room for their fourth powers. Reads the
// tiles' own entries: their weights, and endpoint weights where the weight is not 0; in the block
// itself, all of these.
BlockSums add_up_triangles(const PackedRig& packed, const Mesh& mesh,
                           const BlockTriangles& triangles, std::size_t block, double scale);

}  // namespace sinew::kernels
