// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/detail/mesh_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::text {

void IndexCheck::finish(std::size_t count, std::string_view what, std::int64_t base) const {
  if (!any_ || largest_ < count) return;
  throw InputError(place_, fmt::format("{} {} does not exist: the file has {}", what,
                                       std::int64_t{largest_} + base, count));
}

void fail_index(std::int64_t value, std::int64_t base, const std::string& place) {
  if (value >= base) throw InputError(place, fmt::format("index {} is too large", value));
  throw InputError(place, fmt::format("index {} is out of range: they begin at {}", value, base));
}

void fail_face(std::size_t corners, const std::string& place) {
  if (corners >= 3) throw InputError(place, "the faces have more than 4294967295 corners");
  throw InputError(place, fmt::format("a face has {} corners; it needs three or more", corners));
}

void settle_colors(std::vector<Vec4>& colors) {
  double color_scale = 1, alpha_scale = 1;
  for (const Vec4& c : colors) {
    if (c.x > 1 || c.y > 1 || c.z > 1) color_scale = 255;
    if (c.w > 1) alpha_scale = 255;
  }
  for (Vec4& color : colors) {
    if (std::isnan(color.x)) {
      color = {1, 1, 1, 1};
      continue;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      color[i] = std::clamp(color[i] / (i < 3 ? color_scale : alpha_scale), 0.0, 1.0);
    }
  }
}

void append_number(std::string& out, double value, char separator) {
  fmt::format_to(std::back_inserter(out), "{}", value);
  out += separator;
}

void append_integer(std::string& out, std::uint64_t value) {
  const fmt::format_int digits(value);
  out.append(digits.data(), digits.size());
}

void append_numbers(std::string& out, const Vec3& value, char separator) {
  append_number(out, value.x, ' ');
  append_number(out, value.y, ' ');
  append_number(out, value.z, separator);
}

}  // namespace sinew::text
