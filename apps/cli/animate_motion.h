// SPDX-License-Identifier: Apache-2.0
// The part of `sinew animate` that plays a recorded motion on a rig.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sinew/rig/rig.h"

namespace sinew::cli {

struct MotionArguments {
  std::string motion;
  std::string clip;  // of the motion's file; its first if empty
  std::string map, map_out;
  bool in_place = false;
  double fps = 0;
  double tolerance = 0.1;  // degrees
  std::optional<double> rest_time;
};

// Returns the option of the motion itself.
CLI::Option* add_motion_options(CLI::App& command, MotionArguments& options);

// A clip for the rig, with the motion's name, and what there is to say about it.
struct PlayedMotion {
  Clip clip;
  std::string map;      // the mapping used, as a file
  nlohmann::json json;  // members for the command's own object
  std::string text;     // lines
};

// Throws InputError naming the motion's or the mapping's file.
PlayedMotion play_motion(const Rig& rig, const MotionArguments& options);

}  // namespace sinew::cli
