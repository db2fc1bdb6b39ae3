// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/detail/frames.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::images {

Area whole(const Image& image) { return {0, 0, image.width(), image.height()}; }

Area changed(const Image& before, const Image& after) {
  int left = after.width(), right = -1, top = after.height(), bottom = -1;
  for (int y = 0; y < after.height(); ++y) {
    for (int x = 0; x < after.width(); ++x) {
      if (before.at(x, y) == after.at(x, y)) continue;
      left = std::min(left, x);
      right = std::max(right, x);
      top = std::min(top, y);
      bottom = std::max(bottom, y);
    }
  }
  if (right < 0) return {0, 0, 1, 1};
  return {left, top, right - left + 1, bottom - top + 1};
}

void check_animation(std::size_t frame_count, double seconds_per_frame) {
  if (frame_count == 0) throw UsageError("an animation needs at least one frame");
  if (!(seconds_per_frame > 0)) throw UsageError("a frame must be shown for some time");
}

void check_same_size(const Image& first, const Image& other) {
  if (first.width() == other.width() && first.height() == other.height()) return;
  throw UsageError(fmt::format("a frame is {} x {} pixels, the one before it {} x {}",
                               other.width(), other.height(), first.width(), first.height()));
}

}  // namespace sinew::images
