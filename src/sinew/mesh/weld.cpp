// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/weld.h"

#include <bit>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/core/internal/bits.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

constexpr Index none = std::numeric_limits<Index>::max();

using Key = std::array<std::uint64_t, 3>;

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 29)) * 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

std::size_t start(const Key& key) {
  return static_cast<std::size_t>(mixed(key[0] + mixed(key[1] + mixed(key[2]))));
}

// A hash map with linear probing, for at most `capacity` keys.
class KeyTable {
 public:
  explicit KeyTable(std::size_t capacity) : slots_(std::bit_ceil(2 * capacity + 1)) {}

  // A reference to the number stored with the key; `none` if the key is new.
  Index& at(const Key& key) {
    std::size_t i = start(key);
    for (;; ++i) {
      Slot& slot = slots_[i & (slots_.size() - 1)];
      if (slot.value == none) slot.key = key;
      if (slot.key == key) return slot.value;
    }
  }
  Index find(const Key& key) const {
    std::size_t i = start(key);
    for (;; ++i) {
      const Slot& slot = slots_[i & (slots_.size() - 1)];
      if (slot.value == none || slot.key == key) return slot.value;
    }
  }

 private:
  struct Slot {
    Key key{};
    Index value = none;
  };
  std::vector<Slot> slots_;
};

Index keep(Welded& result, const std::vector<Vec3>& positions, std::size_t vertex) {
  result.source.push_back(static_cast<Index>(vertex));
  result.positions.push_back(positions[vertex]);
  return static_cast<Index>(result.positions.size() - 1);
}

void join_equal(const std::vector<Vec3>& positions, Welded& result) {
  // A hash table with linear probing of what was kept.
  std::vector<Index> slots(std::bit_ceil(2 * positions.size() + 1), none);
  result.source.reserve(positions.size());
  result.positions.reserve(positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const Vec3& p = positions[v];
    // -0 + 0 is 0
    std::size_t i = start({bits_as<std::uint64_t>(p.x + 0.0), bits_as<std::uint64_t>(p.y + 0.0),
                           bits_as<std::uint64_t>(p.z + 0.0)});
    for (;; ++i) {
      Index& slot = slots[i & (slots.size() - 1)];
      if (slot == none) slot = keep(result, positions, v);
      if (!(result.positions[slot] == p)) continue;
      result.representative_of[v] = slot;
      break;
    }
  }
}

// A grid of cells twice as wide as the reach: points within reach lie in at most two cells along
// each axis. Kept vertices are farther apart than the reach, so a cell has few of them.
void join_close(const std::vector<Vec3>& positions, const Vec3& low, double reach, Welded& result) {
  KeyTable newest_in_cell(positions.size());
  std::vector<Index> next_in_cell;  // for each kept vertex, an older one in the same cell
  const auto cell = [&](const Vec3& p) {
    Key key;
    for (std::size_t i = 0; i < 3; ++i) {
      key[i] = static_cast<std::uint64_t>(std::fmax((p[i] - low[i]) / (2 * reach), 0.0));
    }
    return key;
  };
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const Vec3& p = positions[v];
    const Key from = cell(p - Vec3{reach, reach, reach});
    const Key to = cell(p + Vec3{reach, reach, reach});
    Index nearest = none;
    double nearest_distance = reach;
    for (std::uint64_t x = from[0]; x <= to[0]; ++x) {
      for (std::uint64_t y = from[1]; y <= to[1]; ++y) {
        for (std::uint64_t z = from[2]; z <= to[2]; ++z) {
          for (Index k = newest_in_cell.find({x, y, z}); k != none; k = next_in_cell[k]) {
            const double d = distance(p, result.positions[k]);
            if (d < nearest_distance || (d == nearest_distance && k < nearest)) {
              nearest = k;
              nearest_distance = d;
            }
          }
        }
      }
    }
    if (nearest == none) {
      nearest = keep(result, positions, v);
      Index& newest = newest_in_cell.at(cell(p));
      next_in_cell.push_back(newest);
      newest = nearest;
    }
    result.representative_of[v] = nearest;
  }
}

}  // namespace

Welded weld(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
            double tolerance) {
  if (!(tolerance >= 0) || !std::isfinite(tolerance)) {
    throw UsageError("the tolerance for welding is 0 or a positive fraction of the mesh's size");
  }
  require_sound(positions, triangles);
  Welded result;
  result.representative_of.resize(positions.size());
  const Box box = bounding_box(positions);
  const double reach = tolerance * box.diagonal();
  if (tolerance < std::numeric_limits<double>::epsilon() || !(reach > 0)) {
    join_equal(positions, result);
  } else {
    join_close(positions, box.low, reach, result);
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [a, b, c] = triangles[t];
    const Triangle joined = {result.representative_of[a], result.representative_of[b],
                             result.representative_of[c]};
    if (joined[0] == joined[1] || joined[1] == joined[2] || joined[2] == joined[0]) continue;
    result.triangles.push_back(joined);
    result.triangle_source.push_back(static_cast<Index>(t));
  }
  return result;
}

}  // namespace sinew
