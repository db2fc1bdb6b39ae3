// SPDX-License-Identifier: Apache-2.0
// Rows of different lengths, one after the other in one array (compressed rows).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

// Row r is items[offsets[r]] to items[offsets[r + 1] - 1]. Offsets begin with 0, never descend and
// end with the number of items.
template <class T>
struct Rows {
  std::vector<std::size_t> offsets{0};
  std::vector<T> items;

  std::size_t size() const { return offsets.size() - 1; }  // rows
  // `row` must be below size().
  std::span<const T> operator[](std::size_t row) const {
    return std::span(items).subspan(offsets[row], offsets[row + 1] - offsets[row]);
  }
  std::span<T> operator[](std::size_t row) {
    return std::span(items).subspan(offsets[row], offsets[row + 1] - offsets[row]);
  }

  // Ends the current row: everything appended to `items` since the last call.
  void end_row() { offsets.push_back(items.size()); }
  void push(std::span<const T> row) {
    items.insert(items.end(), row.begin(), row.end());
    end_row();
  }

  friend bool operator==(const Rows&, const Rows&) = default;
};

// Groups items into `count` rows by key, keeping their order within each row. `each(add)` must call
// add(key, item) for every item; it is called twice, to count and to fill.
template <class T, class Each>
Rows<T> rows_by_key(std::size_t count, const Each& each) {
  Rows<T> rows;
  rows.offsets.assign(count + 1, 0);
  each([&](std::size_t key, const T&) { ++rows.offsets[key + 1]; });
  for (std::size_t k = 0; k < count; ++k) rows.offsets[k + 1] += rows.offsets[k];
  rows.items.resize(rows.offsets.back());
  std::vector<std::size_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
  each([&](std::size_t key, const T& item) { rows.items[next[key]++] = item; });
  return rows;
}

}  // namespace sinew
