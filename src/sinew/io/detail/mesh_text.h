// SPDX-License-Identifier: Apache-2.0
// Helpers shared by the readers and writers of mesh formats.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/internal/text.h"
#include "sinew/mesh/mesh.h"

namespace sinew::text {

// Indices may precede the data they refer to, so this remembers the largest index and its place in
// the file, to be checked at the end.
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

// Converts a file's index `value`, which counts from `base`, to a 0-based one. Throws InputError at
// place() if it is below `base` or too large for an Index.
template <class Place>
Index checked_index(std::int64_t value, std::int64_t base, const Place& place) {
  if (value < base || value - base >= std::numeric_limits<Index>::max()) {
    fail_index(value, base, place());
  }
  return static_cast<Index>(value - base);
}

// Ends the face whose corners were added to faces.indices. Throws InputError at place() if it has
// fewer than three corners or the faces have too many corners in all.
template <class Place>
void end_face(Polygons& faces, const Place& place) {
  if (faces.offsets.empty()) faces.offsets.push_back(0);
  const std::size_t corners = faces.indices.size() - faces.offsets.back();
  if (corners < 3 || faces.indices.size() > std::numeric_limits<Index>::max()) {
    fail_face(corners, place());
  }
  faces.offsets.push_back(static_cast<Index>(faces.indices.size()));
}

// Marks a vertex without a color.
inline constexpr Vec4 missing_color = {std::numeric_limits<double>::quiet_NaN(), 0, 0, 0};

// Scales the colors of a text file to [0, 1]: red, green and blue are taken as bytes if any of them
// is above 1, and alpha likewise. Missing colors become white.
void settle_colors(std::vector<Vec4>& colors);

// Appends a number (shortest form that reads back as the same bits) and a separator.
void append_number(std::string& out, double value, char separator);
void append_numbers(std::string& out, const Vec3& value, char separator);
void append_integer(std::string& out, std::uint64_t value);

}  // namespace sinew::text
