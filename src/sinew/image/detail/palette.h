// SPDX-License-Identifier: Apache-2.0
// Few colours that stand for many.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sinew/image/detail/frames.h"
#include "sinew/image/image.h"

namespace sinew::images {

using Palette = std::vector<std::array<std::uint8_t, 3>>;

// At most `most` colours for the opaque pixels of an area, at least one: boxes of colours are cut
// at their median, the widest first (Heckbert 1982). Where there are no more than that they are
// exact.
Palette make_palette(const Image& image, const Area& area, std::size_t most);

// Finds the nearest colour of a palette, and remembers it.
class PaletteLookup {
 public:
  explicit PaletteLookup(const Palette& palette);

  // The place in the palette of the colour that stands for `pixel` at (x, y). Between two colours,
  // some pixels of the pattern get the one and some the other.
  std::uint8_t at(const Pixel& pixel, int x, int y);

 private:
  std::uint8_t nearest(int r, int g, int b);

  const Palette& palette_;
  std::unordered_map<std::uint32_t, std::uint8_t> known_;
};

}  // namespace sinew::images
