// SPDX-License-Identifier: Apache-2.0
// A silhouette with a margin around it that changes nothing of how it hangs together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/picture/mask.h"

namespace sinew::detail {

// A mask with `pad` pixels more on each side, at least two of them outside.
struct Grown {
  static constexpr std::uint8_t inside = 1, figure = 2, mark = 4;

  int width = 0, height = 0, pad = 0;
  // Bits: inside the margin; in the mask itself; free for use.
  std::vector<std::uint8_t> cells;

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
};

// Inside gets every pixel whose centre is less than margin + 1/2 from a pixel of the mask, in the
// order of that distance, as long as islands stay apart, holes open and limbs side by side; see
// outline.h.
Grown grow(const Mask& mask, double margin);

}  // namespace sinew::detail
