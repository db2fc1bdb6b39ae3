// SPDX-License-Identifier: Apache-2.0
#include "pose_options.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/core/overload.h"
#include "sinew/io/pose_json.h"

namespace sinew::cli {
namespace {

bool is_twisted(const BonePose& bone) { return bone.twist_start != 0 || bone.twist_end != 0; }

// Whether the joint's own motion puts the bone's tail elsewhere than the pose does.
bool is_pulled(const BoneState& bone) {
  const double length = distance(bone.head, bone.tail);
  return std::fabs(distance(bone.posed_head, bone.posed_tail) - length) > 1e-4 * length;
}

Moment posed(const CommonOptions& common, const Rig& rig, const PoseOptions& options) {
  try {
    std::vector<std::string> notes;
    const PoseFile file = parse_pose(read_file(options.pose), rig, &notes);
    for (const std::string& note : notes) say(common, fmt::format("{}: {}", options.pose, note));
    return std::visit(Overload{[&](const std::vector<BonePose>& bones) {
                                 const bool twists =
                                     std::any_of(bones.begin(), bones.end(), is_twisted);
                                 return Moment{bone_states(rig, bones, options.states),
                                               rest_pose(rig).shapes, twists, options.pose};
                               },
                               [&](const ToldPose& pose) {
                                 PosedRig posed(RigPlan(rig), options.states);
                                 posed.set(pose);
                                 Moment moment = moment_of(posed);
                                 moment.file = options.pose;
                                 return moment;
                               }},
                      file);
  } catch (const InputError& error) {
    throw error.in_file(options.pose);
  }
}

}  // namespace

PoseCliOptions add_pose_options(CLI::App& command, PoseOptions& options) {
  command.add_option("--pose", options.pose, "The pose: a .json by bones or by joints");
  const PoseCliOptions added = add_clip_options(command, options);
  command.add_flag("--squash", options.states.squash,
                   "Stretched bones get thinner and keep their volume");
  return added;
}

PoseCliOptions add_clip_options(CLI::App& command, PoseOptions& options) {
  PoseCliOptions added;
  added.clip = command.add_option("--clip", options.clip, "A clip of the model, by name or number");
  added.time = command.add_option("--time", options.time, "Seconds into the clip")
                   ->capture_default_str()
                   ->needs(added.clip);
  return added;
}

void check(const PoseOptions& options) {
  if (options.pose.empty() == options.clip.empty()) {
    throw UsageError("give either --pose FILE or --clip NAME, and not both");
  }
  if (!std::isfinite(options.time)) throw UsageError("--time must be a number of seconds");
}

Moment moment_of(const CommonOptions& common, const Rig& rig, const PoseOptions& options) {
  return options.clip.empty() ? posed(common, rig, options)
                              : moment_of(posed_at(common, rig, options));
}

PosedRig posed_at(const CommonOptions& common, const Rig& rig, const PoseOptions& options) {
  const Clip& clip = find_clip(rig, options.clip);
  const double end = duration(clip);
  if (options.time < 0 || options.time > end) {
    say(common,
        fmt::format("--time {}: the clip '{}' goes from 0 to {:.6g} s; this is its {} moment",
                    options.time, clip.name, end, options.time < 0 ? "first" : "last"));
  }
  PosedRig posed(RigPlan(rig), options.states);
  posed.play(ClipPlan(posed.plan(), clip), options.time);
  return posed;
}

Moment moment_of(const PosedRig& posed) {
  return {{posed.bones().begin(), posed.bones().end()},
          {posed.shapes().begin(), posed.shapes().end()}};
}

void say_what_plain_bones_get(const CommonOptions& common, const PoseOptions& options,
                              const Moment& moment, std::span<const std::string> methods) {
  std::vector<std::string_view> untwisted, scaling;
  for (const std::string& name : methods) {
    const MethodTraits traits = find_method(name)->traits;
    if (!traits.twists) untwisted.push_back(name);
    if (traits.scales) scaling.push_back(name);
  }
  if (untwisted.empty()) return;
  const std::string names = fmt::format("{}", fmt::join(untwisted, ", "));
  if (moment.has_end_twists) {
    say(common, options.states.same_intent
                    ? names + ": bones that do not twist are turned by the mean of their end twists"
                    : names + ": bones do not twist; their end twists are left out");
  }
  if (!scaling.empty() && options.states.same_intent && !options.clip.empty() &&
      std::any_of(moment.bones.begin(), moment.bones.end(), is_pulled)) {
    say(common, fmt::format("{}: bones whose length changes are scaled along their axis",
                            fmt::join(scaling, ", ")));
  }
}

Deformed deform_at(Deformer& deformer, const Moment& moment) {
  Deformed deformed = deformer.at(moment.bones, moment.shapes);
  try {
    require_finite(deformed);
  } catch (const InputError& error) {
    throw moment.file.empty() ? error : error.in_file(moment.file);
  }
  return deformed;
}

}  // namespace sinew::cli
