// SPDX-License-Identifier: Apache-2.0
// Connected components of a mask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/picture/mask.h"

namespace sinew::detail {

struct Islands {
  // For each pixel the number of its island, counted from 1 in the order of their first pixels; 0
  // outside.
  std::vector<std::uint32_t> label;
  // How many pixels island i + 1 has.
  std::vector<std::size_t> size;
};
Islands find_islands(const Mask& mask);

// Drops islands of fewer than `smallest` pixels, but never the (first) largest one.
struct Dropped {
  std::size_t islands = 0, pixels = 0;
};
Dropped drop_specks(Mask& mask, int smallest);

}  // namespace sinew::detail
