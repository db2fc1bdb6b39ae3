// SPDX-License-Identifier: Apache-2.0
// Adds a margin around a silhouette without changing its topology.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/picture/mask.h"

namespace sinew::detail {

// A mask padded by `pad` pixels on each side, of which at least two stay outside.
struct Grown {
  static constexpr std::uint8_t inside = 1, figure = 2, mark = 4;

  int width = 0, height = 0, pad = 0;
  // Bit flags: `inside`, which includes the margin; `figure`, the mask itself; `mark`, free for
  // use.
  std::vector<std::uint8_t> cells;

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
};

// Adds every pixel whose centre is less than margin + 1/2 from a pixel of the mask, in order of
// that distance, as long as islands stay separate, holes stay open and adjacent limbs do not merge;
// see outline.h.
Grown grow(const Mask& mask, double margin);

}  // namespace sinew::detail
