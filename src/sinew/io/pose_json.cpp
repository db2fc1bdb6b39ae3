// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/pose_json.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/detail/joint_pose.h"
#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

std::vector<BonePose> parse_bones(const JsonRef& json) {
  std::vector<BonePose> poses;
  for (std::size_t b = 0; b < json.size(); ++b) {
    const JsonRef bone = json.at(b);
    bone.allow_only({"start", "end", "rotation", "twist"});
    BonePose pose;
    pose.start = bone.at("start").vec3();
    pose.end = bone.at("end").vec3();
    if (const auto rotation = bone.find("rotation")) pose.rotation = unit_quaternion(*rotation);
    if (const auto twist = bone.find("twist")) {
      const std::vector<double> angles = twist->numbers(2);
      pose.twist_start = radians(angles[0]);
      pose.twist_end = radians(angles[1]);
    }
    poses.push_back(pose);
  }
  return poses;
}

// The first joint of each name.
using FirstOfName = std::unordered_map<std::string_view, std::size_t>;

// Whether JSON can hold the name: those of .tgf and .bvh files need not be UTF-8.
bool is_writable(const std::string& name) {
  const auto dropped = nlohmann::json::error_handler_t::ignore;
  return parse_json(nlohmann::json(name).dump(-1, ' ', false, dropped)) == nlohmann::json(name);
}

// The key by which a pose file finds the joint: its name or, if another comes first or it cannot be
// written, its number.
std::string key_of(const Skeleton& skeleton, const FirstOfName& named, std::size_t joint) {
  const std::string& name = skeleton.joints[joint].name;
  if (!name.empty() && named.at(name) == joint && is_writable(name)) return name;
  std::string number = std::to_string(joint);
  if (!named.contains(number)) return number;
  throw InputError(describe_joint(skeleton, int(joint)),
                   "it has no name of its own, and another joint is called " + number +
                       ": a pose file cannot tell the two apart; rename one");
}

template <class Thing>
nlohmann::ordered_json values_by_name(const std::vector<Thing>& things,
                                      const std::vector<double>& values,
                                      const std::vector<bool>& is_left_out = {}) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_left_out.empty() && is_left_out[i]) continue;
    const std::string& name = things[i].name;
    const bool is_first = !name.empty() && !json.contains(name) && is_writable(name);
    json[is_first ? name : std::to_string(i)] = values[i];
  }
  return json;
}

// What a pose file says of each joint of a rig beside its transform.
struct JointNotes {
  double twist = 0;  // in degrees
  double stretch = 1;
  bool has_bone = false;
  bool is_end = false;  // a bone points to it
};

std::vector<JointNotes> notes_of_joints(const Skeleton& skeleton, const ToldPose& pose) {
  std::vector<JointNotes> notes(skeleton.joints.size());
  for (const Bone& bone : skeleton.bones) {
    notes[bone.joint].has_bone = true;
    if (bone.tail_joint != no_joint) notes[bone.tail_joint].is_end = true;
  }
  for (const ToldTwist& told : pose.twists) notes[told.joint].twist = degrees(told.angle);
  for (const TailStretch& told : pose.tails) notes[told.joint].stretch = told.factor;
  return notes;
}

// The first members are for whoever edits the file, where the joint has a bone to be twisted or
// stretched.
nlohmann::ordered_json joint_to_json(const Transform& local, const JointNotes& notes,
                                     const Vec3& axis) {
  const Quat q = notes.twist == 0 ? local.rotation
                                  : local.rotation * rotation_about(axis, -radians(notes.twist));
  const Vec3 &t = local.translation, &s = local.scale;
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (axis != Vec3{}) json["twist"] = notes.twist;
  if (notes.has_bone) json["stretch"] = notes.stretch;
  json["bend"] = nlohmann::ordered_json::array();
  json["translation"] = {t.x, t.y, t.z};
  json["rotation"] = {q.x, q.y, q.z, q.w};
  json["scale"] = {s.x, s.y, s.z};
  return json;
}

// Scene nodes, unless the pose moves them or a bone ends there; and what is computed.
bool is_left_out(const Rig& rig, const Pose& pose, const JointNotes& notes, JointIndex joint) {
  const Joint& node = rig.skeleton.joints[joint];
  return is_driven(rig, joint) ||
         (node.is_frame && !notes.is_end && pose.joints[joint] == node.rest);
}

}  // namespace

PoseFile parse_pose(std::string_view text, const Rig& rig, std::vector<std::string>* notes) {
  const nlohmann::json document = parse_json(text);
  const JsonRef json(document);
  if (const auto bones = json.find("bones")) {
    json.allow_only({"bones"});
    if (bones->size() != rig.skeleton.bones.size()) {
      bones->fail(
          fmt::format("it has {} bones, the skeleton has {}; give one pose for each, in "
                      "the skeleton's order",
                      bones->size(), rig.skeleton.bones.size()));
    }
    return parse_bones(*bones);
  }
  if (!json.find("joints") && !json.find("targets")) {
    json.fail("a pose needs a list \"bones\", or an object \"joints\" or \"targets\"");
  }
  PoseKey key = parse_joint_key(json, rig, PoseTeller(rig.skeleton));
  solve_targets(rig, key.targets, key.pose, notes);
  return std::move(key.pose);
}

std::string write_pose(const Rig& rig, const ToldPose& pose) {
  if (pose.joints.size() != rig.skeleton.joints.size() ||
      pose.shapes.size() != rig.mesh.shapes.size() || pose.controls.size() != rig.controls.size()) {
    throw UsageError("the pose does not fit the rig");
  }
  require_joints_of_bones(rig.skeleton);
  const std::vector<Vec3> axes = twist_axes(rig.skeleton);
  const std::vector<JointNotes> notes = notes_of_joints(rig.skeleton, pose);
  FirstOfName named;
  for (std::size_t j = 0; j < rig.skeleton.joints.size(); ++j) {
    named.emplace(rig.skeleton.joints[j].name, j);
  }
  std::string text = "{\"joints\": {";
  const char* separator = "\n";
  for (std::size_t j = 0; j < pose.joints.size(); ++j) {
    if (is_left_out(rig, pose, notes[j], int(j))) continue;
    text += fmt::format("{}  {}: {}", separator,
                        nlohmann::ordered_json(key_of(rig.skeleton, named, j)).dump(),
                        joint_to_json(pose.joints[j], notes[j], axes[j]).dump());
    separator = ",\n";
  }
  text += "\n}";
  const std::vector<bool> is_computed =
      driven_shapes(rig.shape_drivers, rig.pose_spaces, pose.shapes.size());
  if (const auto shapes = values_by_name(rig.mesh.shapes, pose.shapes, is_computed);
      !shapes.empty()) {
    text += ",\n\"shapes\": " + shapes.dump(2);
  }
  if (!pose.controls.empty()) {
    text += ",\n\"controls\": " + values_by_name(rig.controls, pose.controls).dump(2);
  }
  return text + "}\n";
}

}  // namespace sinew
