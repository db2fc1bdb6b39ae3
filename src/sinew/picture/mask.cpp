// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/mask.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/image/image.h"

namespace sinew {

Mask::Mask(int width_, int height_) : width(width_), height(height_) {
  check_image_size(width, height);
  inside.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
}

void check_mask(const Mask& mask) {
  check_image_size(mask.width, mask.height);
  if (mask.inside.size() !=
      static_cast<std::size_t>(mask.width) * static_cast<std::size_t>(mask.height)) {
    throw UsageError("the mask does not have as many pixels as its width and height say");
  }
  if (std::all_of(mask.inside.begin(), mask.inside.end(), [](auto in) { return in == 0; })) {
    throw UsageError("the mask is empty: no pixel is inside");
  }
}

}  // namespace sinew
