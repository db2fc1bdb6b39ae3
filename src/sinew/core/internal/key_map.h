// SPDX-License-Identifier: Apache-2.0
// A hash table from 64-bit keys to 32-bit numbers, for lattices too sparse for arrays.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace sinew {

// A key may have any value except ~0. Never shrinks.
class KeyMap {
 public:
  static constexpr std::uint32_t absent = ~std::uint32_t{0};

  explicit KeyMap(std::size_t expected = 16) { rebuild(std::bit_ceil(expected * 2 + 16)); }

  std::uint32_t find(std::uint64_t key) const {
    for (std::size_t i = slot(key);; i = (i + 1) & mask_) {
      if (keys_[i] == key) return values_[i];
      if (keys_[i] == empty) return absent;
    }
  }

  // Returns the value stored with the key. A new key gets `value`.
  std::uint32_t insert(std::uint64_t key, std::uint32_t value) {
    if (count_ * 2 > mask_) rebuild(keys_.size() * 2);
    for (std::size_t i = slot(key);; i = (i + 1) & mask_) {
      if (keys_[i] == key) return values_[i];
      if (keys_[i] != empty) continue;
      keys_[i] = key;
      values_[i] = value;
      ++count_;
      return value;
    }
  }

  bool contains(std::uint64_t key) const { return find(key) != absent; }
  std::size_t size() const { return count_; }

 private:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};

  std::size_t slot(std::uint64_t key) const {
    key ^= key >> 31;
    key *= 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(key >> 20) & mask_;
  }

  void rebuild(std::size_t size) {
    std::vector<std::uint64_t> keys(size, empty);
    std::vector<std::uint32_t> values(size, absent);
    keys.swap(keys_);
    values.swap(values_);
    mask_ = size - 1;
    count_ = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] != empty) insert(keys[i], values[i]);
    }
  }

  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> values_;
  std::size_t mask_ = 0;
  std::size_t count_ = 0;
};

}  // namespace sinew
