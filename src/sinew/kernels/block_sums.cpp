// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/detail/block_sums.h"

#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "sinew/kernels/detail/hats.h"
#include "sinew/kernels/detail/local_bones.h"

namespace sinew::kernels {
namespace {

void add_to(float* sums, Quad more) {
  Quad sum;
  std::memcpy(&sum, sums, sizeof sum);
  sum += more;
  std::memcpy(sums, &sum, sizeof sum);
}

}  // namespace

// Makes the sums of one block.
class SumsMaker {
 public:
  SumsMaker(const PackedRig& packed, const Mesh& mesh, const BlockTriangles& triangles,
            std::size_t block, double scale)
      : packed_(packed), next_twin_(triangles.next_twin), block_(block), bones_(packed) {
    result_.first_entry_ = packed.first_entry[block * tiles_per_block];
    const std::size_t first_tile = block * tiles_per_block;
    const std::size_t last_tile = std::min(first_tile + tiles_per_block, packed.tile_count);
    for (std::size_t tile = first_tile; tile < last_tile; ++tile) {
      sets_.push_back(bones_.set_of(tile));
    }
    const std::size_t entries = packed.first_entry[last_tile] - result_.first_entry_;
    result_.sums_.resize(entries * tile_size);
    if (!packed.raw_twist.empty()) result_.twists_.resize(result_.sums_.size());
    result_.areas_.resize(block_size);
    result_.first_extra_.resize(block_size, none);
    HatBatch batch;
    std::vector<Index> chosen;
    const auto add_chosen = [&] {
      batch.set(mesh, chosen, scale);
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        const Hats hats = batch[i];
        if (hats.area > 0) add(mesh.triangles[chosen[i]], hats);
      }
      chosen.clear();
    };
    for (const TriangleRun& run : triangles.runs[block]) {
      for (Index t = run.begin; t < run.end; ++t) {
        if (!is_needed(mesh.triangles[t])) continue;
        chosen.push_back(t);
        if (chosen.size() == HatBatch::size) add_chosen();
      }
    }
    add_chosen();
  }

  BlockSums result() { return std::move(result_); }

 private:
  static constexpr std::uint32_t none = BlockSums::no_bone;

  // What a triangle adds for one bone.
  struct Share {
    Quad weight{}, stretch{}, twist{};
    bool known = false;  // whether all corners have the bone
    // Of a corner that has it.
    float some_stretch = 0, some_twist = 0;
  };
  // A vertex, and how far its tile's entries have been looked at.
  struct Cursor {
    std::uint32_t next = 0, end = 0;
    std::uint32_t lane = 0;
    std::uint32_t place = none;  // in the block, if it is there
    bool here = false;           // whether the entry before has the bone at hand
    float weight = 0;            // of that bone
  };

  Cursor cursor_at(Index vertex) const {
    const std::size_t block = vertex / block_size;
    const std::size_t place = packed_.slots.empty() ? vertex % block_size : packed_.slots[vertex];
    const std::size_t tile = block * tiles_per_block + place / tile_size;
    Cursor cursor;
    cursor.next = packed_.first_entry[tile];
    cursor.end = packed_.first_entry[tile + 1];
    cursor.lane = static_cast<std::uint32_t>(place % tile_size);
    if (block == block_) cursor.place = static_cast<std::uint32_t>(place);
    return cursor;
  }

  float weight(const Cursor& cursor, std::uint32_t entry) const {
    return packed_.weights[entry * tile_size + cursor.lane];
  }

  // Vertices without influences are bound to the bone that never moves.
  bool is_loose(const Cursor& cursor) const {
    const std::uint32_t last = cursor.end - 1;
    return packed_.entries[last].bone == packed_.bone_count && weight(cursor, last) != 0;
  }

  void advance(Cursor& cursor, std::uint32_t bone) const {
    while (cursor.next < cursor.end && packed_.entries[cursor.next].bone < bone) ++cursor.next;
    cursor.here = cursor.next < cursor.end && packed_.entries[cursor.next].bone == bone;
    cursor.weight = cursor.here ? weight(cursor, cursor.next) : 0;
    cursor.next += cursor.here ? 1 : 0;
  }

  bool is_needed(const Triangle& triangle) const {
    const auto is_here = [&](Index corner) { return corner / block_size == block_; };
    const auto has_twins = [&](Index corner) {
      return !next_twin_.empty() && next_twin_[corner] != corner;
    };
    return is_here(triangle[0]) || is_here(triangle[1]) || is_here(triangle[2]) ||
           std::any_of(triangle.begin(), triangle.end(), has_twins);
  }

  void add(const Triangle& triangle, const Hats& hats) {
    const auto has_twins = [&](Index corner) { return next_twin_[corner] != corner; };
    if (!next_twin_.empty() && std::any_of(triangle.begin(), triangle.end(), has_twins)) {
      return add_slowly(triangle, hats);
    }
    std::array<const LocalBones::Set*, 3> sets;
    std::array<std::size_t, 3> places, first;  // the latter: of the tile's first entry, at the lane
    std::array<bool, 3> inside;                // the block
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t block = triangle[k] / block_size;
      places[k] = packed_.slots.empty() ? triangle[k] % block_size : packed_.slots[triangle[k]];
      inside[k] = block == block_;
      const std::size_t of_block = places[k] / tile_size;
      const std::size_t tile = block * tiles_per_block + of_block;
      sets[k] = inside[k] ? sets_[of_block] : bones_.set_of(tile);
      if (sets[k] == nullptr) return add_slowly(triangle, hats);
      first[k] = packed_.first_entry[tile] * tile_size + places[k] % tile_size;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      if (inside[k]) result_.areas_[places[k]] += hats.area;
    }
    if (inside[0] && inside[1] && inside[2]) {
      add_bones<true>(hats, sets, places, first, inside);
    } else {
      add_bones<false>(hats, sets, places, first, inside);
    }
  }

  template <bool kAllInside>
  void add_bones(const Hats& hats, const std::array<const LocalBones::Set*, 3>& sets,
                 const std::array<std::size_t, 3>& places, const std::array<std::size_t, 3>& first,
                 const std::array<bool, 3>& inside) {
    const bool has_twists = !packed_.raw_twist.empty();
    const Quad area{0, 0, 0, hats.area};
    const float* const weights = packed_.weights.data();
    const float* const raw_stretch = packed_.raw_stretch.data();
    Sums* const sums = result_.sums_.data();
    const std::size_t before = result_.first_entry_ * tile_size;
    std::uint64_t bones = sets[0]->numbers | sets[1]->numbers | sets[2]->numbers;
    for (; bones != 0; bones &= bones - 1) {
      const auto number = static_cast<std::size_t>(std::countr_zero(bones));
      std::array<std::size_t, 3> at;
      std::array<float, 3> w, e{};
      for (std::size_t k = 0; k < 3; ++k) {
        at[k] = first[k] + sets[k]->places[number];
        w[k] = weights[at[k]] * sets[k]->shares[number];
      }
      const bool known = w[0] != 0 && w[1] != 0 && w[2] != 0;
      if (!known && w[0] == 0 && w[1] == 0 && w[2] == 0) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        // Another thread may write beside weights of 0 of other blocks.
        if (kAllInside || w[k] != 0) e[k] = raw_stretch[at[k]];
      }
      const Quad weight = hats.second * (w[1] - w[0]) + hats.third * (w[2] - w[0]);
      if (!known) {
        add_in_part(weight, sets, places, at, w, inside, number);
        continue;
      }
      const Quad stretch = hats.second * (e[1] - e[0]) + hats.third * (e[2] - e[0]) + area;
      for (std::size_t k = 0; k < 3; ++k) {
        if (!kAllInside && !inside[k]) continue;
        float* const to = sums[at[k] - before].numbers.data();
        add_to(to, weight);
        add_to(to + 4, stretch);
      }
      if (!has_twists) continue;
      std::array<float, 3> t;
      for (std::size_t k = 0; k < 3; ++k) t[k] = packed_.raw_twist[at[k]];
      const Quad twist = hats.second * (t[1] - t[0]) + hats.third * (t[2] - t[0]);
      for (std::size_t k = 0; k < 3; ++k) {
        if (inside[k]) add_to(result_.twists_[at[k] - before].numbers.data(), twist);
      }
    }
  }

  // Some corners do not have the bone.
  void add_in_part(Quad weight, const std::array<const LocalBones::Set*, 3>& sets,
                   const std::array<std::size_t, 3>& places, const std::array<std::size_t, 3>& at,
                   const std::array<float, 3>& w, const std::array<bool, 3>& inside,
                   std::size_t number) {
    const bool has_twists = !packed_.raw_twist.empty();
    const std::size_t some = at[w[0] != 0 ? 0 : w[1] != 0 ? 1 : 2];
    const float stretch = packed_.raw_stretch[some];
    const Share share{weight, {},      {},
                      false,  stretch, has_twists ? packed_.raw_twist[some] : stretch};
    for (std::size_t k = 0; k < 3; ++k) {
      if (!inside[k]) continue;
      if (sets[k]->shares[number] == 0) {
        ExtraBone& other = extra(places[k], bones_.bone(number));
        add_share(share, 0, other.sums, other.twists);
      } else {
        const std::size_t own = at[k] - result_.first_entry_ * tile_size;
        add_share(share, w[k], result_.sums_[own],
                  has_twists ? result_.twists_[own] : unused_twists_);
      }
    }
  }

  // The same for a corner with twins, without influences or with too many bones around.
  void add_slowly(const Triangle& triangle, const Hats& hats) {
    std::array<Cursor, 3> corners{cursor_at(triangle[0]), cursor_at(triangle[1]),
                                  cursor_at(triangle[2])};
    twins_.clear();
    if (!next_twin_.empty()) find_twins(triangle);
    const auto is_here = [](const Cursor& cursor) { return cursor.place != none; };
    if (twins_.empty() && std::none_of(corners.begin(), corners.end(), is_here)) return;
    const auto loose = [&](const Cursor& cursor) { return is_loose(cursor); };
    if (!packed_.still.empty() && std::any_of(corners.begin(), corners.end(), loose)) return;
    for (const Cursor& corner : corners) {
      if (is_here(corner)) result_.areas_[corner.place] += hats.area;
    }
    for (const Cursor& twin : twins_) result_.areas_[twin.place] += hats.area;
    for (;;) {
      std::uint32_t bone = none;
      for (const Cursor& corner : corners) {
        if (corner.next < corner.end) bone = std::min(bone, packed_.entries[corner.next].bone);
      }
      if (bone == none) return;
      for (Cursor& corner : corners) advance(corner, bone);
      for (Cursor& twin : twins_) advance(twin, bone);
      add_bone(bone, hats, corners);
    }
  }

  void find_twins(const Triangle& triangle) {
    for (const Index corner : triangle) {
      for (Index twin = next_twin_[corner]; twin != corner; twin = next_twin_[twin]) {
        const bool is_corner = std::find(triangle.begin(), triangle.end(), twin) != triangle.end();
        if (twin / block_size == block_ && !is_corner) twins_.push_back(cursor_at(twin));
      }
    }
  }

  void add_bone(std::uint32_t bone, const Hats& hats, std::span<const Cursor, 3> corners) {
    const float first = corners[0].weight;
    const float second = corners[1].weight - first, third = corners[2].weight - first;
    const bool changes = second != 0 || third != 0;
    const bool known = first != 0 && corners[1].weight != 0 && corners[2].weight != 0;
    if (!changes && !known) return;  // all are 0
    Share share;
    share.weight = hats.second * second + hats.third * third;
    share.known = known;
    const bool has_twists = !packed_.raw_twist.empty();
    const auto raw_at = [&](const std::vector<float>& raw, const Cursor& c) {
      return raw[(c.next - 1) * tile_size + c.lane];
    };
    if (known) {
      const auto along = [&](const std::vector<float>& raw) {
        const float e = raw_at(raw, corners[0]);
        const float to_second = raw_at(raw, corners[1]) - e, to_third = raw_at(raw, corners[2]) - e;
        return hats.second * to_second + hats.third * to_third;
      };
      share.stretch = along(packed_.raw_stretch) + Quad{0, 0, 0, hats.area};
      if (has_twists) share.twist = along(packed_.raw_twist);
    } else {
      const auto some = std::find_if(corners.begin(), corners.end(),
                                     [](const Cursor& corner) { return corner.weight != 0; });
      share.some_stretch = raw_at(packed_.raw_stretch, *some);
      share.some_twist = has_twists ? raw_at(packed_.raw_twist, *some) : share.some_stretch;
    }
    const auto add_at = [&](const Cursor& cursor) {
      if (cursor.place == none) return;
      if (!cursor.here) {
        ExtraBone& other = extra(cursor.place, bone);
        return add_share(share, cursor.weight, other.sums, other.twists);
      }
      const std::size_t entry = cursor.next - 1 - result_.first_entry_;
      const std::size_t at = entry * tile_size + cursor.lane;
      add_share(share, cursor.weight, result_.sums_[at],
                has_twists ? result_.twists_[at] : unused_twists_);
    };
    for (const Cursor& corner : corners) add_at(corner);
    for (const Cursor& twin : twins_) add_at(twin);
  }

  static void add_share(const Share& share, float own_weight, Sums& sums, TwistSums& twists) {
    add_to(sums.numbers.data(), share.weight);
    add_to(sums.numbers.data() + 4, share.stretch);
    add_to(twists.numbers.data(), share.twist);
    if (!share.known && own_weight == 0) take_endpoints(share, sums, twists);
  }

  static void take_endpoints(const Share& share, Sums& sums, TwistSums& twists) {
    if (sums.numbers[3] != unknown_endpoint) return;
    sums.numbers[3] = share.some_stretch;
    twists.numbers[3] = share.some_twist;
  }

  ExtraBone& extra(std::size_t place, std::uint32_t bone) {
    for (std::uint32_t i = result_.first_extra_[place]; i != none; i = result_.extras_[i].next) {
      if (result_.extras_[i].bone == bone) return result_.extras_[i];
    }
    result_.extras_.push_back({bone, result_.first_extra_[place], {}, {}});
    result_.first_extra_[place] = static_cast<std::uint32_t>(result_.extras_.size() - 1);
    return result_.extras_.back();
  }

  const PackedRig& packed_;
  const std::vector<Index>& next_twin_;
  std::size_t block_;
  BlockSums result_;
  LocalBones bones_;
  std::vector<const LocalBones::Set*> sets_;  // per tile of the block
  TwistSums unused_twists_;
  std::vector<Cursor> twins_;  // of the triangle at hand
};

BlockSums add_up_triangles(const PackedRig& packed, const Mesh& mesh,
                           const BlockTriangles& triangles, std::size_t block, double scale) {
  return SumsMaker(packed, mesh, triangles, block, scale).result();
}

}  // namespace sinew::kernels
