// SPDX-License-Identifier: Apache-2.0
// Segments as arrays of their numbers, so that distances to all of them are measured at once.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/weights/detail/unit_space.h"

namespace sinew::detail {

class SegmentTable {
 public:
  template <class Item, class SegmentOf>
  SegmentTable(const std::vector<Item>& items, const SegmentOf& segment_of) : size_(items.size()) {
    numbers_.resize(row_count * size_);
    for (std::size_t i = 0; i < size_; ++i) {
      const Segment& s = segment_of(items[i]);
      const std::array<double, row_count> values{s.head.x, s.head.y, s.head.z,         s.arm.x,
                                                 s.arm.y,  s.arm.z,  s.inverse_squared};
      for (std::size_t k = 0; k < row_count; ++k) numbers_[k * size_ + i] = values[k];
    }
  }

  std::size_t size() const { return size_; }

  // What distance_squared() gives for each, to the last bit.
  void measure(const Vec3& p, std::span<double> squared) const;
  // Whether one is closer to p than this.
  bool any_closer(const Vec3& p, double squared) const;

 private:
  static constexpr std::size_t row_count = 7;

  void measure(const Vec3& p, std::size_t first, std::size_t count, double* squared) const;

  std::size_t size_;
  std::vector<double> numbers_;  // a row for each number of a segment
};

}  // namespace sinew::detail
