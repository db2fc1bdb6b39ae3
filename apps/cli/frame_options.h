// SPDX-License-Identifier: Apache-2.0
// Options that select frames of a clip.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "pose_options.h"

namespace sinew::cli {

struct FrameOptions {
  std::string range;  // such as 0:24, or "all"; empty: a single moment
  double per_second = 30;
};

// Returns --frames.
CLI::Option* add_frame_options(CLI::App& command, FrameOptions& options, const PoseCliOptions& pose,
                               const std::string& help);

// Throws UsageError if the number of frames per second is invalid.
void check(const FrameOptions& options);

struct FrameRange {
  int first = 0, count = 0;
  double per_second = 30;

  // Time of frame first + i, in seconds.
  double time(int i) const { return (first + i) / per_second; }
};

// Says on stderr if the range goes beyond the clip's end. Throws UsageError for an invalid one.
FrameRange frames_of(const CommonOptions& common, const Clip& clip, const FrameOptions& options);

}  // namespace sinew::cli
