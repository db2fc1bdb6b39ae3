// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/detail/targets_json.h"

#include <cmath>
#include <limits>
#include <string>

#include "sinew/core/error.h"
#include "sinew/io/detail/joint_pose.h"
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

Vec3 unit_axis(const JsonRef& json) {
  const Vec3 axis = json.vec3();
  if (!has_length({}, axis)) json.fail("an axis must have a length");
  return normalized(axis);
}

// Near enough to compute with.
Vec3 place_in_world(const JsonRef& json) {
  const Vec3 place = json.vec3();
  if (!std::isfinite(length_squared(place))) json.fail("is too far away");
  return place;
}

void parse_target(const JsonRef& json, const Rig& rig, JointIndex joint, PoseTargets& targets) {
  json.allow_only({"position", "rotation", "pole", "lengths", "root", "weight", "children"});
  if (is_driven(rig, joint)) json.fail("the joint is computed, so it cannot reach for a target");
  IkHandle handle;
  handle.joint = joint;
  IkGoal goal;
  if (const auto position = json.find("position")) goal.position = place_in_world(*position);
  if (const auto rotation = json.find("rotation")) {
    goal.keep_rotation = rotation->value() == "kept";
    if (!goal.keep_rotation) goal.rotation = unit_quaternion(*rotation);
  }
  if (const auto pole = json.find("pole")) goal.pole = place_in_world(*pole);
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
    handle.root = int(find_place(*root, root->string(), rig.skeleton.joints, "joint"));
    refused_at(*root, [&] { IkSolver(rig.skeleton, {&handle, 1}); });
  }
  targets.handles.push_back(handle);
  targets.goals.push_back(goal);
}

struct AngleRange {
  double min = -pi, max = pi;
};
AngleRange parse_range(const JsonRef& json) {
  const std::vector<double> ends = json.numbers(2);
  return {radians(ends[0]), radians(ends[1])};
}

JointRange parse_limit(const JsonRef& json, const Vec3& bone_axis) {
  if (const auto cone = json.find("cone")) {
    json.allow_only({"cone", "twist", "axis"});
    ConeLimit limit;
    limit.axis = bone_axis == Vec3{} ? limit.axis : bone_axis;
    limit.swing = radians(cone->number());
    if (const auto axis = json.find("axis")) limit.axis = unit_axis(*axis);
    if (const auto twist = json.find("twist")) {
      const AngleRange range = parse_range(*twist);
      limit.twist_min = range.min;
      limit.twist_max = range.max;
    }
    return limit;
  }
  if (const auto hinge = json.find("hinge")) {
    json.allow_only({"hinge", "range"});
    HingeLimit limit;
    limit.axis = unit_axis(*hinge);
    if (const auto given = json.find("range")) {
      const AngleRange range = parse_range(*given);
      limit.min = range.min;
      limit.max = range.max;
    }
    return limit;
  }
  json.allow_only({"x", "y", "z"});
  AxesLimit limit;
  const char* names[3] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    const auto given = json.find(names[i]);
    if (!given) continue;
    const AngleRange range = parse_range(*given);
    limit.min[i] = range.min;
    limit.max[i] = range.max;
  }
  return limit;
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
  const std::vector<Vec3> axes = twist_axes(rig.skeleton);
  for_each_named(json, "limits", joints, "joint", [&](std::size_t j, const JsonRef& limit) {
    const JointRange range = parse_limit(limit, axes[j]);
    refused_at(limit, [&] { require_valid(range); });
    targets.options.limits.push_back({int(j), range});
  });
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
