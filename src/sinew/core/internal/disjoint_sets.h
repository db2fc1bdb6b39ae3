// SPDX-License-Identifier: Apache-2.0
// Which of some numbered things belong together (union-find).
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace sinew {

// Things 0 to count - 1, each a set of its own at first.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count = 0) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
  }

  // The lowest member of the set, which stands for it. Shortens the way there as it goes.
  std::size_t find(std::size_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }

  // Makes one set of two. Says whether they were two.
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
