// SPDX-License-Identifier: Apache-2.0
// Helpers shared by the animation encoders.
#pragma once

#include <cstddef>

#include "sinew/image/image.h"

namespace sinew::images {

// Part of a picture, in pixels.
struct Area {
  int left = 0, top = 0, width = 0, height = 0;
};

Area whole(const Image& image);

// The smallest area that contains all differences; a single pixel if there are none.
Area changed(const Image& before, const Image& after);

// Throws UsageError without frames, or if the time is not above 0.
void check_animation(std::size_t frame_count, double seconds_per_frame);

// Throws UsageError where the sizes differ.
void check_same_size(const Image& first, const Image& other);

}  // namespace sinew::images
