// SPDX-License-Identifier: Apache-2.0
// Colour palettes for images with many colours.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sinew/image/detail/frames.h"
#include "sinew/image/image.h"

namespace sinew::images {

using Palette = std::vector<std::array<std::uint8_t, 3>>;

// At least one and at most `most` colours for the opaque pixels of an area, by median cut (Heckbert
// 1982), widest box first. Exact if the area has no more than `most` colours.
Palette make_palette(const Image& image, const Area& area, std::size_t most);

// Finds the nearest colour of a palette, with a cache.
class PaletteLookup {
 public:
  explicit PaletteLookup(const Palette& palette);

  // The palette index for `pixel` at (x, y). Colours between two palette colours are dithered in a
  // fixed pattern.
  std::uint8_t at(const Pixel& pixel, int x, int y);

 private:
  std::uint8_t nearest(int r, int g, int b);

  const Palette& palette_;
  std::unordered_map<std::uint32_t, std::uint8_t> known_;
};

}  // namespace sinew::images
