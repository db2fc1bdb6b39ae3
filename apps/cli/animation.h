// SPDX-License-Identifier: Apache-2.0
// Writes the frames of an animation, to an animation file or to a folder of pictures.
#pragma once

#include <filesystem>
#include <memory>

#include "outputs.h"
#include "sinew/image/image.h"

namespace sinew::cli {

class Animation {
 public:
  virtual ~Animation() = default;
  virtual void add(const Image& frame) = 0;
  // After the last frame; what was made then takes its place with the other outputs.
  virtual void finish() = 0;
};

// Throws UsageError unless the path ends in .gif, .png or .mp4, or has no extension (a folder).
void check_animation_output(const std::filesystem::path& path);

// For `count` frames, the first of which is number `first`. `outputs` must outlive it.
std::unique_ptr<Animation> make_animation(Outputs& outputs, const std::filesystem::path& path,
                                          int first, int count, double frames_per_second);

// For a program that is about to end: ends an encoder that still runs, and lets none start.
void end_encoders();

}  // namespace sinew::cli
