// SPDX-License-Identifier: Apache-2.0
// What the readers and writers of mesh formats share.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/internal/text.h"
#include "sinew/mesh/mesh.h"

namespace sinew::text {

// Indices may come before what they point to: remembers the largest and its place, so that they can
// be checked at the end.
class IndexCheck {
 public:
  template <class Place>
  void add(Index index, const Place& place) {
    if (any_ && index <= largest_) return;
    any_ = true;
    largest_ = index;
    place_ = place();
  }
  // Throws InputError if an index (0-based; reported with `base` added) is not below `count`.
  void finish(std::size_t count, std::string_view what, std::int64_t base) const;

 private:
  bool any_ = false;
  Index largest_ = 0;
  std::string place_;
};

[[noreturn]] void fail_index(std::int64_t value, std::int64_t base, const std::string& place);
[[noreturn]] void fail_face(std::size_t corners, const std::string& place);

// The 0-based index that a file gives as `value`; throws InputError at place() if it is less than
// `base` or too large for an Index.
template <class Place>
Index checked_index(std::int64_t value, std::int64_t base, const Place& place) {
  if (value < base || value - base >= std::numeric_limits<Index>::max()) {
    fail_index(value, base, place());
  }
  return static_cast<Index>(value - base);
}

// Ends the face whose corners were added to faces.indices; throws InputError at place() if they are
// fewer than three or all of them together too many.
template <class Place>
void end_face(Polygons& faces, const Place& place) {
  if (faces.offsets.empty()) faces.offsets.push_back(0);
  const std::size_t corners = faces.indices.size() - faces.offsets.back();
  if (corners < 3 || faces.indices.size() > std::numeric_limits<Index>::max()) {
    fail_face(corners, place());
  }
  faces.offsets.push_back(static_cast<Index>(faces.indices.size()));
}

// Stands for the color of a vertex that has none.
inline constexpr Vec4 missing_color = {std::numeric_limits<double>::quiet_NaN(), 0, 0, 0};

// Colors of a text file to [0, 1]: red, green and blue are bytes if any of them is above 1, and so
// for alpha. Missing ones become white.
void settle_colors(std::vector<Vec4>& colors);

// Appends a number (shortest form that reads back as the same bits) and a separator.
void append_number(std::string& out, double value, char separator);
void append_numbers(std::string& out, const Vec3& value, char separator);
void append_integer(std::string& out, std::uint64_t value);

}  // namespace sinew::text
