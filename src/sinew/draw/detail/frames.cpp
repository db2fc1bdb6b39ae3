// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/detail/frames.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {

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

void check_frames(std::span<const Image> frames, double seconds) {
  if (frames.empty()) throw UsageError("an animation needs at least one frame");
  if (!(seconds > 0)) throw UsageError("a frame must be shown for some time");
  for (std::size_t f = 0; f < frames.size(); ++f) {
    if (frames[f].width() == frames[0].width() && frames[f].height() == frames[0].height())
      continue;
    throw UsageError(fmt::format("frame {} is {} x {} pixels, the first one {} x {}", f,
                                 frames[f].width(), frames[f].height(), frames[0].width(),
                                 frames[0].height()));
  }
}

}  // namespace sinew
