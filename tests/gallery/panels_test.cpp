// SPDX-License-Identifier: Apache-2.0
#include "apps/gallery/panels.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace sinew::gallery {
namespace {

TEST(GalleryLoop, one_that_runs_back_as_it_came_is_drawn_half_and_shows_the_same) {
  int drawn = 0;
  const auto shade_at = [&](double phase) {
    ++drawn;
    const auto shade = static_cast<std::uint8_t>(std::lround(400 * std::fabs(phase - 0.5)));
    return Sheet{Image(4, 3, {shade, 10, 20, 255}), {{"shade", 0, 0, 4, 3}}, 1};
  };
  for (const int frames : {1, 2, 5, 8}) {
    drawn = 0;
    const Picture whole = loop("shade", frames, 1, shade_at, "a shade", {});
    EXPECT_EQ(drawn, frames);
    drawn = 0;
    const Picture half = swing("shade", frames, 1, shade_at, "a shade", {});
    EXPECT_EQ(drawn, frames / 2 + 1) << frames;
    EXPECT_EQ(half.bytes, whole.bytes) << frames;
    EXPECT_EQ(half.tiles.size(), 1u);
  }
}

}  // namespace
}  // namespace sinew::gallery
