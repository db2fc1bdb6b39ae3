// SPDX-License-Identifier: Apache-2.0
// What the writers of animations share.
#pragma once

#include <span>

#include "sinew/draw/image.h"

namespace sinew {

// Part of a picture, in pixels.
struct Area {
  int left = 0, top = 0, width = 0, height = 0;
};

Area whole(const Image& image);

// The smallest area in which the two differ; one pixel where they do not.
Area changed(const Image& before, const Image& after);

// Throws UsageError without frames, where their sizes differ, or if the time is not above 0.
void check_frames(std::span<const Image> frames, double seconds);

}  // namespace sinew
