// SPDX-License-Identifier: Apache-2.0
#include "pose_options.h"

#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/overload.h"
#include "sinew/io/file.h"
#include "sinew/io/pose_json.h"

namespace sinew::cli {
namespace {

Moment posed(const Rig& rig, const PoseOptions& options) {
  try {
    const PoseFile file = parse_pose(read_file(options.pose), rig);
    return std::visit(
        Overload{[&](const std::vector<BonePose>& bones) {
                   return Moment{bone_states(rig.skeleton, bones, {.squash = options.squash}),
                                 rest_pose(rig).shapes};
                 },
                 [&](const Pose& pose) {
                   TwistTracker twists;
                   return Moment{bone_states(rig, pose, twists, {.squash = options.squash}),
                                 pose.shapes};
                 }},
        file);
  } catch (const InputError& error) {
    throw error.in_file(options.pose);
  }
}

}  // namespace

PoseCliOptions add_pose_options(CLI::App& command, PoseOptions& options) {
  PoseCliOptions added;
  command.add_option("--pose", options.pose, "The pose: a .json by bones or by joints");
  added.clip = command.add_option("--clip", options.clip, "A clip of the model, by name or number");
  added.time = command.add_option("--time", options.time, "Seconds into the clip")
                   ->capture_default_str()
                   ->needs(added.clip);
  command.add_flag("--squash", options.squash, "Stretched bones get thinner and keep their volume");
  return added;
}

void check(const PoseOptions& options) {
  if (options.pose.empty() == options.clip.empty()) {
    throw UsageError("give either --pose FILE or --clip NAME, and not both");
  }
  if (!std::isfinite(options.time)) throw UsageError("--time must be a number of seconds");
}

Moment moment_of(const CommonOptions& common, const Rig& rig, const PoseOptions& options) {
  if (options.clip.empty()) return posed(rig, options);
  const Clip& clip = find_clip(rig, options.clip);
  const double end = duration(clip);
  if (options.time < 0 || options.time > end) {
    say(common,
        fmt::format("--time {}: the clip '{}' goes from 0 to {:.6g} s; this is its {} moment",
                    options.time, clip.name, end, options.time < 0 ? "first" : "last"));
  }
  ClipStates states(rig, clip, {.squash = options.squash});
  return {states.at(options.time), pose_at(rig, clip, options.time).shapes};
}

Deformed deform_at(Deformer& deformer, const Moment& moment) {
  Deformed deformed = deformer.at(moment.bones, moment.shapes);
  require_finite(deformed);
  return deformed;
}

}  // namespace sinew::cli
