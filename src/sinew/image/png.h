// SPDX-License-Identifier: Apache-2.0
// PNG files, still and animated.
#pragma once

#include <filesystem>
#include <string>

#include "sinew/image/image.h"

namespace sinew {

// The bytes of a PNG file; without an alpha channel if all pixels are opaque. Throws UsageError for
// an image without pixels.
std::string encode_png(const Image& image);

// An animated PNG that repeats for ever; viewers without support for animation show the first
// frame. Only the area that changes from frame to frame is stored.
class ApngEncoder {
 public:
  // Throws UsageError without frames, or if the time of a frame is not above 0.
  ApngEncoder(std::size_t frame_count, double seconds_per_frame);

  // Throws UsageError where a frame's size is not that of the first, for one without pixels, and
  // for more frames than announced.
  void add(const Image& frame);
  // The bytes of the file. Throws UsageError for fewer frames than announced.
  std::string finish();

 private:
  std::size_t frame_count_;
  double seconds_;
  Image last_;
  std::string file_;
  std::size_t frames_ = 0, sequence_ = 0;
};

// Written atomically: completely or not at all. Throws FileError, and as encode_png().
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace sinew
