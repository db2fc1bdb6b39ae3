// SPDX-License-Identifier: Apache-2.0
// Options that select the pose: a pose file, or a moment of a clip.
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
// --clip and --time alone.
PoseCliOptions add_clip_options(CLI::App& command, PoseOptions& options);

// Bones and blend-shape weights at one moment.
struct Moment {
  std::vector<BoneState> bones;
  std::vector<double> shapes;
  bool has_end_twists = false;  // a pose by bones twists some bone along its length
  std::string file{};           // the pose was read from it; empty: a clip
};

// Throws UsageError unless exactly one of a pose and a clip is given, or if the time is not a
// number.
void check(const PoseOptions& options);

// The moment selected by the options. Throws InputError naming the pose file for a pose that does
// not fit. A time outside the clip is clamped to its first or last moment, with a note on stderr.
Moment moment_of(const CommonOptions& common, const Rig& rig, const PoseOptions& options);
Moment moment_of(const PosedRig& posed);
// The same for the clip of the options.
PosedRig posed_at(const CommonOptions& common, const Rig& rig, const PoseOptions& options);

// Says on stderr how stretch and twists at bone ends are handled by methods whose bones are rigid
// or only scale. The methods are given by name.
void say_what_plain_bones_get(const CommonOptions& common, const PoseOptions& options,
                              const Moment& moment, std::span<const std::string> methods);

// The deformed rig at that moment. Throws InputError naming the first vertex that is not finite.
Deformed deform_at(Deformer& deformer, const Moment& moment);

}  // namespace sinew::cli
