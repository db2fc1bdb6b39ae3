// SPDX-License-Identifier: Apache-2.0
// Animated GIF files: widely supported, with at most 255 colours per frame.
#pragma once

#include <string>

#include "sinew/image/image.h"

namespace sinew {

// Repeats for ever. Each frame has its own palette, with fixed-pattern dithering for colours
// between palette entries; only the area that changes from frame to frame is stored. Pixels are
// either opaque or fully transparent; if the first frame is fully opaque, all frames are treated as
// opaque.
class GifEncoder {
 public:
  // Stored in hundredths of a second, at least two of them. Throws UsageError if the time is not
  // above 0.
  explicit GifEncoder(double seconds_per_frame);

  // Throws UsageError where a frame's size is not that of the first, and for one without pixels.
  void add(const Image& frame);
  // The bytes of the file. Throws UsageError without frames.
  std::string finish();

 private:
  double seconds_;
  double time_ = 0;      // exact time of the frames so far
  long hundredths_ = 0;  // time written for them
  bool cut_out_ = false;
  Image last_;
  std::string file_;
};

}  // namespace sinew
