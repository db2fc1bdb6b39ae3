// SPDX-License-Identifier: Apache-2.0
// Options that say which pose a command works on: a file, or a moment of a clip.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

#include "command.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/kernels/deformer.h"

namespace sinew::cli {

struct PoseOptions {
  std::string pose;
  std::string clip;
  double time = 0;
  StateOptions states;
};

// The command's own further options may need or exclude these two.
struct PoseCliOptions {
  CLI::Option* clip = nullptr;
  CLI::Option* time = nullptr;
};
PoseCliOptions add_pose_options(CLI::App& command, PoseOptions& options);

// Bones and blend-shape weights at one moment.
struct Moment {
  std::vector<BoneState> bones;
  std::vector<double> shapes;
  bool has_end_twists = false;  // a pose by bones twists some bone along its length
};

// Throws UsageError if there is not either a pose or a clip, or the time is no number.
void check(const PoseOptions& options);

// As the options say. Throws InputError naming the pose's file for a pose that does not fit. Says
// on stderr if the time is not within the clip, whose first or last moment it is then.
Moment moment_of(const CommonOptions& common, const Rig& rig, const PoseOptions& options);
Moment moment_of(const PosedRig& posed);

// Says on stderr what becomes of stretch and of twists at bone ends where a method's bones are
// rigid or only scale. The methods are names of the list.
void say_what_plain_bones_get(const CommonOptions& common, const PoseOptions& options,
                              const Moment& moment, std::span<const std::string> methods);

// The rig at that moment. Throws InputError naming the first vertex that goes to infinity.
Deformed deform_at(Deformer& deformer, const Moment& moment);

}  // namespace sinew::cli
