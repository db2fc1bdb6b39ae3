// SPDX-License-Identifier: Apache-2.0
// Union-find.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace sinew {

// Elements 0 to count - 1; initially each is a set of its own.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count = 0) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
  }

  // The representative of the set: its lowest member. Compresses the path.
  std::size_t find(std::size_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }

  // Merges two sets. Returns false if they were already the same.
  bool join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parents_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

  std::size_t size() const { return parents_.size(); }

 private:
  std::vector<std::size_t> parents_;
};

}  // namespace sinew
