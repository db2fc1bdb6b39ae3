// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/detail/targets_json.h"

#include <cmath>
#include <limits>
#include <string>

#include "sinew/core/error.h"
#include "sinew/io/detail/joint_pose.h"
#include "sinew/io/detail/limits_json.h"
#include "sinew/io/detail/named_members.h"

namespace sinew {
namespace {

// What the library refuses gets the place in the document.
template <class Action>
void refused_at(const JsonRef& json, const Action& action) {
  try {
    action();
  } catch (const UsageError& error) {
    json.fail(error.what());
  }
}

template <class Choice>
Choice one_of(const JsonRef& json,
              std::initializer_list<std::pair<std::string_view, Choice>> choices) {
  std::string names;
  for (const auto& [name, choice] : choices) {
    if (json.string() == name) return choice;
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
  }
  json.fail("must be one of " + names);
}

void parse_target(const JsonRef& json, const Rig& rig, JointIndex joint, PoseTargets& targets) {
  json.allow_only({"position", "rotation", "pole", "lengths", "root", "weight", "children"});
  if (is_driven(rig, joint)) json.fail("the joint is computed, so it cannot reach for a target");
  IkHandle handle;
  handle.joint = joint;
  IkGoal goal;
  if (const auto position = json.find("position")) goal.position = bounded_vec3(*position);
  if (const auto rotation = json.find("rotation")) {
    goal.keep_rotation = rotation->value() == "kept";
    if (!goal.keep_rotation) goal.rotation = unit_quaternion(*rotation);
  }
  if (const auto pole = json.find("pole")) goal.pole = bounded_vec3(*pole);
  if (const auto weight = json.find("weight")) {
    goal.weight = weight->number();
    if (!(goal.weight >= 0 && goal.weight <= 1)) weight->fail("a weight is from 0 to 1");
  }
  if (const auto lengths = json.find("lengths")) {
    handle.lengths = one_of<IkLengths>(*lengths, {{"kept", IkLengths::kept},
                                                  {"free", IkLengths::free},
                                                  {"beyond-reach", IkLengths::beyond_reach}});
  }
  const bool is_free = handle.lengths == IkLengths::free;
  if (const auto children = json.find("children")) {
    if (!is_free) children->fail("only has a meaning with \"lengths\": \"free\"");
    handle.children =
        one_of<IkChildren>(*children, {{"follow", IkChildren::follow}, {"stay", IkChildren::stay}});
  }
  for (const char* member : {"pole", "root"}) {
    const auto found = json.find(member);
    if (found && is_free) found->fail("has no meaning with \"lengths\": \"free\"");
  }
  if (const auto root = json.find("root")) {
    handle.root = int(NamedThings(rig.skeleton.joints, "joint").find(*root, root->string()));
    refused_at(*root, [&] { IkSolver(rig.skeleton, {&handle, 1}); });
  }
  targets.handles.push_back(handle);
  targets.goals.push_back(goal);
}

double parse_stiffness(const JsonRef& json) {
  if (json.value().is_string()) {
    if (json.string() != "rigid") json.fail("a stiffness is a number above 0, or \"rigid\"");
    return std::numeric_limits<double>::infinity();
  }
  const double stiffness = json.number();
  if (!(stiffness > 0)) json.fail("a stiffness is a number above 0, or \"rigid\"");
  return stiffness;
}

// Those of the rig, as far as the pose does not say otherwise.
std::vector<IkLimit> limits_of_pose(const JsonRef& json, const Rig& rig) {
  const std::vector<Vec3> axes = twist_axes(rig.skeleton);
  std::vector<IkLimit> kept = rig.limits, given;
  std::vector<char> seen(rig.skeleton.joints.size(), 0);
  for_each_named(json, "limits", rig.skeleton.joints, "joint",
                 [&](std::size_t j, const JsonRef& limit) {
                   if (seen[j]) limit.fail("the joint has a limit already, by name or by number");
                   seen[j] = 1;
                   if (limit.value().is_null()) {
                     std::erase_if(kept, [&](const IkLimit& own) { return own.joint == int(j); });
                   } else {
                     given.push_back({int(j), joint_range_from_json(limit, axes[j])});
                   }
                 });
  return overruled(std::move(kept), given);
}

}  // namespace

PoseTargets parse_targets(const JsonRef& json, const Rig& rig) {
  PoseTargets targets;
  const auto given = json.find("targets");
  for (const char* member : {"limits", "stiffness", "softness"}) {
    const auto found = json.find(member);
    if (found && !given) found->fail("has no meaning without \"targets\"");
  }
  if (!given) return targets;
  const auto& joints = rig.skeleton.joints;
  for_each_named(json, "targets", joints, "joint", [&](std::size_t j, const JsonRef& target) {
    parse_target(target, rig, int(j), targets);
  });
  targets.options.limits = limits_of_pose(json, rig);
  for_each_named(json, "stiffness", joints, "joint", [&](std::size_t j, const JsonRef& value) {
    targets.options.stiffness.push_back({int(j), parse_stiffness(value)});
  });
  if (const auto softness = json.find("softness")) {
    targets.options.softness = softness->number();
    if (!(targets.options.softness >= 0 && targets.options.softness <= 0.5)) {
      softness->fail("a softness is from 0 to 0.5");
    }
  }
  // The same joint by name and by number.
  refused_at(*given, [&] { IkSolver(rig.skeleton, targets.handles, targets.options); });
  return targets;
}

}  // namespace sinew
