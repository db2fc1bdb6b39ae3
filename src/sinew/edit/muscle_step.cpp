// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/muscle_step.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/text.h"
#include "sinew/core/suggest.h"
#include "sinew/edit/setting_text.h"
#include "sinew/skeleton/bones.h"
#include "sinew/skeleton/mirror.h"

namespace sinew {
namespace {

constexpr std::string_view no_muscle = "=none";
constexpr std::pair<const char*, Vec3> named_directions[] = {
    {"left", {1, 0, 0}},  {"right", {-1, 0, 0}}, {"up", {0, 1, 0}},
    {"down", {0, -1, 0}}, {"front", {0, 0, 1}},  {"back", {0, 0, -1}}};

Vec3 parse_direction(const char* option, const std::string& given) {
  for (const auto& [name, direction] : named_directions) {
    if (given == name) return direction;
  }
  Vec3 direction;
  std::size_t begin = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t end = axis < 2 ? given.find(',', begin) : given.size();
    const auto number =
        end == std::string::npos
            ? std::nullopt
            : text::parse_number(std::string_view(given).substr(begin, end - begin));
    if (!number) {
      throw UsageError(
          fmt::format("--{}: {} is no direction: x,y,z, or left, right, up, down, front or back",
                      option, text::quoted(given)));
    }
    direction[axis] = *number;
    begin = end + 1;
  }
  return direction;
}

double parse_gain(const char* option, const std::string& given) {
  const auto gain = text::parse_number(given);
  if (gain) return *gain;
  throw UsageError(fmt::format("--{}: {} is no number", option, text::quoted(given)));
}

// JOINT:START:END:GAIN; names may have colons in them.
void parse_angle(const std::string& given, MuscleStep& step) {
  std::array<double, 3> numbers{};
  std::size_t end = given.size();
  for (int i = 2; i >= 0; --i) {
    const std::size_t colon = end == 0 ? std::string::npos : given.rfind(':', end - 1);
    const auto number =
        colon == std::string::npos
            ? std::nullopt
            : text::parse_number(std::string_view(given).substr(colon + 1, end - colon - 1));
    if (!number || colon == 0) {
      throw UsageError(
          fmt::format("--by-angle: {} is not of the form JOINT:START:END:GAIN, as "
                      "forearm.L:0:120:0.4",
                      text::quoted(given)));
    }
    numbers.at(i) = *number;
    end = colon;
  }
  step.joint = given.substr(0, end);
  step.muscle.angle = MuscleAngle{no_joint, {}, numbers[0], numbers[1], numbers[2]};
}

std::string direction_text(const Vec3& v) { return fmt::format("{},{},{}", v.x, v.y, v.z); }

std::string muscle_text(const Muscle& muscle, const std::string& joint) {
  if (muscle.is_none()) return "none";
  std::vector<std::string> parts;
  if (muscle.stretch != 0) parts.push_back(fmt::format("by-stretch {}", muscle.stretch));
  if (muscle.angle) {
    const MuscleAngle& angle = *muscle.angle;
    parts.push_back(fmt::format("by-angle {}:{}:{}:{}", joint, angle.start, angle.end, angle.gain));
    if (angle.axis) parts.push_back("axis " + direction_text(*angle.axis));
  }
  if (!muscle.profile.points.empty()) {
    parts.push_back("profile " + to_text(FilterCurve{muscle.profile.points, false}));
  }
  if (muscle.side) parts.push_back("side " + direction_text(*muscle.side));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string joint_name(const Skeleton& skeleton, const Muscle& muscle) {
  if (!muscle.angle) return "";
  const std::string& name = skeleton.joints[muscle.angle->joint].name;
  return name.empty() ? fmt::format("{}", int(muscle.angle->joint)) : name;
}

JointIndex joint_named(const Skeleton& skeleton, const std::string& name) {
  const JointIndex found = find_joint(skeleton, name);
  if (found != no_joint) return found;
  const auto number = text::parse_integer(name);
  if (number && *number >= 0 && *number < static_cast<std::int64_t>(skeleton.joints.size())) {
    return JointIndex(static_cast<int>(*number));
  }
  std::vector<std::string> names;
  for (const Joint& known : skeleton.joints) names.push_back(known.name);
  throw UsageError(
      fmt::format("--by-angle: there is no joint '{}'{}", name, did_you_mean(name, names)));
}

void drop_if_none(std::vector<Muscle>& muscles) {
  const bool any = std::any_of(muscles.begin(), muscles.end(),
                               [](const Muscle& muscle) { return !muscle.is_none(); });
  if (!any) muscles.clear();
}

Vec3 reflected(const Plane& plane, const Vec3& direction) {
  return direction - plane.normal * (2 * dot(plane.normal, direction));
}

// The joint on the other side: that of the partner of its bone.
JointIndex partner_joint(const Skeleton& skeleton, const BoneMirror& mirror, JointIndex joint) {
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    if (skeleton.bones[b].joint == joint) return skeleton.bones[mirror.partner[b]].joint;
  }
  const JointIndex named = find_joint(skeleton, mirrored_name(skeleton.joints[joint].name));
  return named == no_joint ? joint : named;
}

Muscle mirrored_muscle(const Rig& rig, const BoneMirror& mirror, const Plane& plane,
                       const Muscle& muscle, bool reversed) {
  Muscle result = muscle;
  if (reversed) {
    std::reverse(result.profile.points.begin(), result.profile.points.end());
    for (Vec2& point : result.profile.points) point.x = 1 - point.x;
  }
  if (result.side) result.side = reflected(plane, *result.side);
  if (!result.angle) return result;
  const JointIndex before = result.angle->joint;
  result.angle->joint = partner_joint(rig.skeleton, mirror, before);
  if (!result.angle->axis) return result;
  // The mirror image of a rotation turns the other way about the mirrored axis.
  std::vector<Transform> rest;
  for (const Joint& joint : rig.skeleton.joints) rest.push_back(joint.rest);
  const std::vector<Affine> frames = forward_kinematics(rig.skeleton, rest);
  const Vec3 axis = -reflected(plane, normalized(frames[before].linear * *result.angle->axis));
  result.angle->axis = normalized(inverse(frames[result.angle->joint].linear) * axis);
  return result;
}

}  // namespace

StepForm MuscleStep::form() {
  return {{"muscle", "BONES",
           "Let bones bulge as they get shorter or a joint bends; BONES=none: no longer"},
          {{"by-stretch", "GAIN",
            "Bulge by the bone's change of length; 1 keeps the volume "
            "(default: 1 without --by-angle)"},
           {"by-angle", "JOINT:START:END:GAIN",
            "Bulge as the joint bends: nothing at START degrees, GAIN at END"},
           {"axis", "x,y,z", "Of that angle, in the joint's frame (default: in total)"},
           {"profile", "CURVE",
            "How much where: points x:y,x:y from head 0 to tail 1 (default: a bump)"},
           {"side", "x,y,z|front|...", "Bulge on this side of the bone alone"}}};
}

MuscleStep MuscleStep::parse(const StepText& text) {
  MuscleStep step;
  step.bones = text.argument;
  if (step.bones.ends_with(no_muscle)) {
    if (!text.modifiers.empty()) {
      throw UsageError(fmt::format("--{}: {} takes nothing after it", text.name, text.argument));
    }
    step.bones.resize(step.bones.size() - no_muscle.size());
    return step;
  }
  const std::string by_stretch = text.modifier("by-stretch"), by_angle = text.modifier("by-angle"),
                    axis = text.modifier("axis"), profile = text.modifier("profile"),
                    side = text.modifier("side");
  step.muscle.stretch = by_angle.empty() ? 1 : 0;
  if (!by_stretch.empty()) step.muscle.stretch = parse_gain("by-stretch", by_stretch);
  if (!by_angle.empty()) parse_angle(by_angle, step);
  if (!axis.empty()) {
    if (!step.muscle.angle) throw UsageError("--axis is that of an angle: give --by-angle, too");
    step.muscle.angle->axis = parse_direction("axis", axis);
  }
  if (!profile.empty()) {
    StepText named = text;
    named.name = "profile";
    step.muscle.profile = {parse_filter(named, "free:" + profile).points, true};
  }
  if (!side.empty()) step.muscle.side = parse_direction("side", side);
  try {
    validate(step.muscle);
  } catch (const InputError& error) {
    throw UsageError(fmt::format("--{}: {}", text.name, error.what()));
  }
  if (step.muscle.is_none()) {
    throw UsageError(
        fmt::format("--{}: nothing drives it; BONES=none removes a muscle", text.name));
  }
  return step;
}

std::string MuscleStep::arguments() const {
  return muscle.is_none() ? bones + std::string(no_muscle)
                          : bones + " " + muscle_text(muscle, joint);
}

void MuscleStep::apply(Editing& editing) const {
  const Skeleton& skeleton = editing.rig.skeleton;
  std::vector<Muscle>& muscles = editing.rig.skin.muscles;
  Muscle made = muscle;
  if (made.angle) made.angle->joint = joint_named(skeleton, joint);
  const std::vector<BoneIndex> found = bones_in_list(skeleton, bones);
  muscles.resize(skeleton.bones.size());
  std::vector<std::string> names, before;
  for (const BoneIndex bone : found) {
    names.push_back(bone_name(skeleton, bone));
    before.push_back(muscle_text(muscles[bone], joint_name(skeleton, muscles[bone])));
    muscles[bone] = made.is_none() ? Muscle{} : made;
  }
  drop_if_none(muscles);
  editing.facts.push_back({"muscles", std::move(names)});
  editing.facts.push_back({"before", std::move(before)});
  editing.facts.push_back({"after", muscle_text(made, joint_name(skeleton, made))});
}

std::vector<BoneIndex> mirror_muscles(Rig& rig, const Plane& plane, int from) {
  std::vector<BoneIndex> changed;
  if (rig.skin.muscles.empty()) return changed;
  const BoneMirror mirror = mirror_bones(rig.skeleton, plane);
  const std::vector<Muscle> old = rig.skin.muscles;
  for (std::size_t b = 0; b < old.size(); ++b) {
    const auto partner = static_cast<std::size_t>(mirror.partner[b]);
    if (partner == b) continue;
    const Bone& bone = rig.skeleton.bones[b];
    const double side = signed_distance(plane, (bone.head + bone.tail) * 0.5);
    const bool gives = from == 0 ? old[partner].is_none() : side * from > 0;
    if (!gives || (from == 0 && old[b].is_none())) continue;
    Muscle made = mirrored_muscle(rig, mirror, plane, old[b], mirror.reversed[b]);
    if (made == rig.skin.muscles[partner]) continue;
    rig.skin.muscles[partner] = std::move(made);
    changed.push_back(BoneIndex(static_cast<int>(partner)));
  }
  drop_if_none(rig.skin.muscles);
  return changed;
}

}  // namespace sinew
