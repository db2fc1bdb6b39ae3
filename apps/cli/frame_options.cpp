// SPDX-License-Identifier: Apache-2.0
#include "frame_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::cli {
namespace {

constexpr int last_frame = 1000000;

// Both included.
struct FirstAndLast {
  int first = 0, last = 0;
};

FirstAndLast parse_range(const std::string& text) {
  FirstAndLast range;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, range.first);
  const bool has_colon = first.ec == std::errc() && first.ptr != end && *first.ptr == ':';
  const auto last = std::from_chars(has_colon ? first.ptr + 1 : end, end, range.last);
  if (!has_colon || last.ec != std::errc() || last.ptr != end || range.first < 0 ||
      range.last < range.first || range.last > last_frame) {
    throw UsageError(
        fmt::format("--frames {}: give the first and the last frame, as in 0:24, up to {}; or all",
                    text, last_frame));
  }
  return range;
}

// A looping clip ends one frame before it returns to its first.
FirstAndLast whole_clip(const Clip& clip, double per_second) {
  const double count = std::round(duration(clip) * per_second);
  if (!(count <= last_frame)) {
    throw UsageError(fmt::format("--frames all: there are more than {}", last_frame));
  }
  return {0, std::max(static_cast<int>(count) - 1, 0)};
}

}  // namespace

CLI::Option* add_frame_options(CLI::App& command, FrameOptions& options, const PoseCliOptions& pose,
                               const std::string& help) {
  CLI::Option* frames = command.add_option("--frames", options.range, help)->needs(pose.clip);
  pose.time->excludes(frames);
  command.add_option("--fps", options.per_second, "Frames per second for --frames")
      ->capture_default_str()
      ->needs(frames);
  return frames;
}

void check(const FrameOptions& options) {
  if (!(options.per_second >= 0.001 && options.per_second <= 100000)) {
    throw UsageError("--fps must be a number from 0.001 to 100000");
  }
}

FrameRange frames_of(const CommonOptions& common, const Clip& clip, const FrameOptions& options) {
  const auto [first, last] =
      options.range == "all" ? whole_clip(clip, options.per_second) : parse_range(options.range);
  // A frame that rounding alone takes beyond the end is not.
  const double end = std::floor(duration(clip) * options.per_second + 1e-6);
  if (last > end) {
    say(common,
        fmt::format(
            "--frames {}: the clip '{}' ends at frame {:.0f}; those after it are its last moment",
            options.range, clip.name, end));
  }
  return {first, last - first + 1, options.per_second};
}

}  // namespace sinew::cli
