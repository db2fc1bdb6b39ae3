// SPDX-License-Identifier: Apache-2.0
// Animated GIF files: they play everywhere, in at most 255 colours a frame.
#pragma once

#include <string>

#include "sinew/image/image.h"

namespace sinew {

// Repeats for ever. Colours are chosen frame by frame, those that have none are mixed from their
// neighbours in a fixed pattern; only what changes from frame to frame is stored. Pixels are opaque
// or not at all; if all of the first frame's are, then all of every frame's count as such.
class GifEncoder {
 public:
  // Time is counted in hundredths of a second, the shortest is two of them. Throws UsageError if it
  // is not above 0.
  explicit GifEncoder(double seconds_per_frame);

  // Throws UsageError where a frame's size is not that of the first, and for one without pixels.
  void add(const Image& frame);
  // The bytes of the file. Throws UsageError without frames.
  std::string finish();

 private:
  double seconds_;
  double time_ = 0;      // of the frames so far
  long hundredths_ = 0;  // that were given to them
  bool cut_out_ = false;
  Image last_;
  std::string file_;
};

}  // namespace sinew
