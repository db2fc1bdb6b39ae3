// SPDX-License-Identifier: Apache-2.0
// Writes the frames of an animation, to an animation file or to a folder of pictures.
#pragma once

#include <filesystem>
#include <memory>

#include "sinew/image/image.h"

namespace sinew::cli {

class Animation {
 public:
  virtual ~Animation() = default;
  virtual void add(const Image& frame) = 0;
  // Writes what is not yet written, completely or not at all.
  virtual void finish() = 0;
};

// Throws UsageError unless the path ends in .gif, .png or .mp4, or has no extension (a folder).
void check_animation_output(const std::filesystem::path& path);

// For `count` frames, the first of which is number `first`.
std::unique_ptr<Animation> make_animation(const std::filesystem::path& path, int first, int count,
                                          double frames_per_second);

}  // namespace sinew::cli
