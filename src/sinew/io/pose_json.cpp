// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/pose_json.h"

#include <algorithm>
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "sinew/core/suggest.h"
#include "sinew/io/internal/checked_json.h"

namespace sinew {
namespace {

Quat unit_quaternion(const JsonRef& json) {
  const std::vector<double> v = json.numbers(4);
  const Quat q{v[0], v[1], v[2], v[3]};
  if (std::fabs(dot(q, q) - 1) > 1e-2) {
    json.fail("a rotation is a unit quaternion [x, y, z, w]");
  }
  return normalized(q);
}

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

// The place in `list` of the thing called `key`, or numbered so if none has that name.
template <class Thing>
std::size_t find_place(const JsonRef& json, const std::string& key, const std::vector<Thing>& list,
                       const char* what) {
  const auto named =
      std::find_if(list.begin(), list.end(), [&](const Thing& thing) { return thing.name == key; });
  if (named != list.end()) return static_cast<std::size_t>(named - list.begin());
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(key.data(), key.data() + key.size(), number);
  if (failure != std::errc() || end != key.data() + key.size() || number >= list.size()) {
    std::vector<std::string> names;
    for (const Thing& thing : list) names.push_back(thing.name);
    json.fail(
        fmt::format("the rig has no {} '{}'{}; it has {} of them, by name or by number from 0 on",
                    what, key, did_you_mean(key, names), list.size()));
  }
  return number;
}

// Calls visit(place, value) for each member of the object `name`, if there is one.
template <class Thing, class Visit>
void for_each_named(const JsonRef& json, const char* name, const std::vector<Thing>& list,
                    const char* what, Visit visit) {
  const auto object = json.find(name);
  if (!object) return;
  if (!object->value().is_object()) object->fail("must be an object of names or numbers");
  for (const auto& [key, value] : object->value().items()) {
    const JsonRef member = object->at(key);
    visit(find_place(member, key, list, what), member);
  }
}

}  // namespace

PoseFile parse_pose(std::string_view text, const Rig& rig) {
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
  if (!json.find("joints")) json.fail("a pose needs a list \"bones\" or an object \"joints\"");
  json.allow_only({"joints", "shapes", "controls"});
  Pose pose = rest_pose(rig);
  for_each_named(json, "joints", rig.skeleton.joints, "joint",
                 [&](std::size_t j, const JsonRef& joint) {
                   joint.allow_only({"translation", "rotation", "scale"});
                   Transform& local = pose.joints[j];
                   if (const auto t = joint.find("translation")) local.translation = t->vec3();
                   if (const auto r = joint.find("rotation")) local.rotation = unit_quaternion(*r);
                   if (const auto s = joint.find("scale")) local.scale = s->vec3();
                 });
  for_each_named(json, "shapes", rig.mesh.shapes, "blend shape",
                 [&](std::size_t k, const JsonRef& weight) { pose.shapes[k] = weight.number(); });
  for_each_named(json, "controls", rig.controls, "control",
                 [&](std::size_t c, const JsonRef& value) { pose.controls[c] = value.number(); });
  apply_drivers(rig, pose);
  return pose;
}

}  // namespace sinew
