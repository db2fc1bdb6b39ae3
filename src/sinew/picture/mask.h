// SPDX-License-Identifier: Apache-2.0
// Which pixels belong to a figure. Pixel (x, y) covers [x, x+1] x [y, y+1], x to the right, y DOWN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinew {

// Rows from the top down, 1 inside and 0 outside. The inside is 8-connected: pixels that share a
// side or a corner belong to one island. The outside is 4-connected.
struct Mask {
  int width = 0, height = 0;
  std::vector<std::uint8_t> inside;

  Mask() = default;
  // All outside. Throws UsageError if a side is not in [1, largest_image_side].
  Mask(int width_, int height_);

  // The place of a pixel, which must be in the picture.
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
  // False for pixels beyond the picture.
  bool at(int x, int y) const {
    return x >= 0 && y >= 0 && x < width && y < height && inside[index(x, y)] != 0;
  }
  friend bool operator==(const Mask&, const Mask&) = default;
};

// Throws UsageError if the sizes are inconsistent or no pixel is inside.
void check_mask(const Mask& mask);

}  // namespace sinew
