// SPDX-License-Identifier: Apache-2.0
// Where the frames of an animation go: a file of its own kind, or a folder of pictures.
#pragma once

#include <filesystem>
#include <memory>

#include "sinew/image/image.h"

namespace sinew::cli {

class Animation {
 public:
  virtual ~Animation() = default;
  virtual void add(const Image& frame) = 0;
  // Writes what is not written yet, whole or not at all.
  virtual void finish() = 0;
};

// Throws UsageError for a file that is none of .gif, .png, .mp4, or a folder without extension.
void check_animation_output(const std::filesystem::path& path);

// For `count` frames, the first of which is number `first`.
std::unique_ptr<Animation> make_animation(const std::filesystem::path& path, int first, int count,
                                          double frames_per_second);

}  // namespace sinew::cli
