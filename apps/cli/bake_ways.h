// SPDX-License-Identifier: Apache-2.0
// The outputs of sinew bake without helper joints: one clip as blend shapes or as a point cache.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "command.h"
#include "outputs.h"
#include "sinew/bake/bake.h"

namespace sinew::cli {

struct BakeWay {
  std::string to = "helpers";
  std::string clip;
  std::string method;  // none: the rig's default
  std::optional<double> frames_per_second;
};

void add_way_options(CLI::App& command, BakeWay& way);

// Throws UsageError naming an option that does not apply to the chosen output.
void check_way(const CLI::App& command, const BakeWay& way);

// The files common to all outputs.
struct BakeFiles {
  std::string model, output, report;
  std::string endpoints;  // the method that replaces the model's endpoint weights; empty: none
  bool squash = false;    // bones that get longer get thinner
};

// How missing or replaced endpoint weights are to be computed.
BakeOptions weight_options(const BakeFiles& files);

// `max_error_percent`: 0 for the default.
ExitStatus bake_to_morph(const CommonOptions& common, const BakeFiles& files, const BakeWay& way,
                         double max_error_percent, Outputs& outputs);
ExitStatus bake_to_cache(const CommonOptions& common, const BakeFiles& files, const BakeWay& way,
                         Outputs& outputs);

}  // namespace sinew::cli
