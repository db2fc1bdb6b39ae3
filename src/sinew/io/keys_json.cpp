// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/keys_json.h"

#include "sinew/core/error.h"
#include "sinew/io/detail/joint_pose.h"

namespace sinew {
namespace {

Ease parse_ease(const JsonRef& json) {
  const std::string& name = json.string();
  if (name == "linear") return Ease::linear;
  if (name == "smooth") return Ease::smooth;
  if (name == "step") return Ease::step;
  json.fail("an ease is \"linear\", \"smooth\" or \"step\"");
}

PoseKey parse_key(const JsonRef& json, const Rig& rig, const PoseTeller& teller) {
  json.allow_only({"time", "pose", "ease"});
  const JsonRef pose = json.at("pose");
  if (pose.find("bones")) {
    pose.fail("a clip moves joints: give the pose by \"joints\", not by \"bones\"");
  }
  PoseKey key = parse_joint_key(pose, rig, teller);
  key.time = json.at("time").number();
  if (const auto ease = json.find("ease")) key.ease = parse_ease(*ease);
  return key;
}

}  // namespace

PoseKey parse_pose_key(std::string_view text, const Rig& rig) {
  const nlohmann::json document = parse_json(text);
  const JsonRef json(document);
  if (json.find("bones")) {
    throw InputError("/bones", "a clip moves joints: give the pose by \"joints\"");
  }
  return parse_joint_key(json, rig, PoseTeller(rig.skeleton));
}

KeysFile parse_keys(std::string_view text, const Rig& rig) {
  const nlohmann::json document = parse_json(text);
  const JsonRef json(document);
  json.allow_only({"name", "loop", "keys"});
  KeysFile file;
  if (const auto name = json.find("name")) file.name = name->string();
  if (const auto loop = json.find("loop")) file.loop = loop->boolean();
  const JsonRef keys = json.at("keys");
  if (keys.size() == 0) keys.fail("there is no key in it");
  const PoseTeller teller(rig.skeleton);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    file.keys.push_back(parse_key(keys.at(k), rig, teller));
  }
  return file;
}

}  // namespace sinew
