// SPDX-License-Identifier: Apache-2.0
#include "sinew/puppet/picture_bones.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/io/internal/checked_json.h"
#include "sinew/io/tgf.h"

namespace sinew {
namespace {

Vec2 parse_place(const JsonRef& json) {
  const std::vector<double> xy = json.numbers(2);
  return {xy[0], xy[1]};
}

PictureJoint parse_joint(const JsonRef& json, std::size_t number) {
  PictureJoint joint{fmt::format("joint_{}", number), {}};
  if (json.value().is_object()) {
    json.allow_only({"name", "position"});
    if (const auto name = json.find("name")) joint.name = name->string();
    joint.place = parse_place(json.at("position"));
  } else {
    joint.place = parse_place(json);
  }
  return joint;
}

void parse_joints(const JsonRef& json, PictureBones& bones) {
  if (json.value().is_object()) {
    for (const auto& [name, place] : json.value().items()) {
      bones.joints.push_back({name, parse_place(json.at(name))});
    }
    return;
  }
  for (std::size_t i = 0; i < json.size(); ++i) {
    bones.joints.push_back(parse_joint(json.at(i), i));
  }
}

int parse_reference(const JsonRef& json, const PictureBones& bones) {
  if (json.value().is_number()) return json.index(bones.joints.size(), "joints");
  const int joint = find_joint(bones, json.string());
  if (joint == no_joint) json.fail(fmt::format("there is no joint \"{}\"", json.string()));
  return joint;
}

PictureBone parse_bone(const JsonRef& json, const PictureBones& bones) {
  PictureBone bone;
  if (json.value().is_array()) {
    if (json.size() != 2) json.fail("a bone goes from one joint to another");
    bone.from = parse_reference(json.at(std::size_t{0}), bones);
    bone.to = parse_reference(json.at(std::size_t{1}), bones);
  } else {
    json.allow_only({"name", "from", "to", "layer", "parent"});
    bone.from = parse_reference(json.at("from"), bones);
    bone.to = parse_reference(json.at("to"), bones);
    if (const auto layer = json.find("layer")) bone.layer = layer->number();
    if (const auto name = json.find("name")) bone.name = name->string();
  }
  return bone;
}

// Bones without a name are called after where they lead.
void name_bones(PictureBones& bones) {
  for (PictureBone& bone : bones.bones) {
    if (bone.name.empty()) bone.name = bones.joints[bone.to].name;
  }
}

// Once all bones are known by their names.
int parse_parent(const JsonRef& json, const PictureBones& bones) {
  if (json.value().is_number()) return json.index(bones.bones.size(), "bones");
  const std::string& name = json.string();
  for (std::size_t b = 0; b < bones.bones.size(); ++b) {
    if (bones.bones[b].name == name) return static_cast<int>(b);
  }
  json.fail(fmt::format("there is no bone \"{}\"", name));
}

// By name, or by number where another bone has that name, too.
nlohmann::ordered_json reference_to(const PictureBones& bones, int bone) {
  const std::string& name = bones.bones[bone].name;
  const auto has_name = [&](const PictureBone& b) { return b.name == name; };
  if (std::count_if(bones.bones.begin(), bones.bones.end(), has_name) == 1) return name;
  return bone;
}

}  // namespace

void validate(const PictureBones& bones) {
  if (bones.bones.empty()) throw InputError("/bones", "there are none; at least one is needed");
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < bones.joints.size(); ++i) {
    const PictureJoint& joint = bones.joints[i];
    const std::string place = fmt::format("/joints/{}", i);
    if (!(std::max(std::abs(joint.place.x), std::abs(joint.place.y)) <= farthest_joint)) {
      throw InputError(place, fmt::format("its position is not within {} pixels", farthest_joint));
    }
    if (!names.insert(joint.name).second) {
      throw InputError(place, fmt::format("another joint is called \"{}\", too", joint.name));
    }
  }
  for (std::size_t i = 0; i < bones.bones.size(); ++i) {
    const PictureBone& bone = bones.bones[i];
    const std::string place = fmt::format("/bones/{}", i);
    const auto count = static_cast<int>(bones.joints.size());
    if (bone.from < 0 || bone.to < 0 || bone.from >= count || bone.to >= count) {
      throw InputError(place, "it goes from or to a joint that does not exist");
    }
    const Vec2 from = bones.joints[bone.from].place, to = bones.joints[bone.to].place;
    if (!has_length({from.x, from.y, 0}, {to.x, to.y, 0})) {
      throw InputError(place, "it has no length: both its joints are at one place");
    }
    if (bone.parent < no_picture_bone || bone.parent >= static_cast<int>(bones.bones.size())) {
      throw InputError(place, "its parent is a bone that does not exist");
    }
    if (!std::isfinite(bone.layer)) throw InputError(place, "its layer is not finite");
  }
}

PictureBones parse_picture_bones(std::string_view json) {
  const nlohmann::json document = parse_json(json);
  const JsonRef root(document);
  root.allow_only({"joints", "bones"});
  PictureBones bones;
  parse_joints(root.at("joints"), bones);
  const JsonRef list = root.at("bones");
  for (std::size_t i = 0; i < list.size(); ++i) {
    bones.bones.push_back(parse_bone(list.at(i), bones));
  }
  name_bones(bones);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list.at(i).value().is_object()) continue;
    if (const auto parent = list.at(i).find("parent")) {
      bones.bones[i].parent = parse_parent(*parent, bones);
    }
  }
  validate(bones);
  return bones;
}

std::string to_json(const PictureBones& bones) {
  nlohmann::ordered_json joints = nlohmann::ordered_json::array(),
                         list = nlohmann::ordered_json::array();
  for (const PictureJoint& joint : bones.joints) {
    joints.push_back({{"name", joint.name}, {"position", {joint.place.x, joint.place.y}}});
  }
  for (const PictureBone& bone : bones.bones) {
    list.push_back({{"name", bone.name},
                    {"from", bones.joints[bone.from].name},
                    {"to", bones.joints[bone.to].name},
                    {"layer", bone.layer}});
    if (bone.parent != no_picture_bone) list.back()["parent"] = reference_to(bones, bone.parent);
  }
  return nlohmann::ordered_json{{"joints", joints}, {"bones", list}}.dump(2) + "\n";
}

PictureBones picture_bones(const Skeleton& skeleton) {
  PictureBones bones;
  const std::vector<Affine> frames = rest_globals(skeleton);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::string& name = skeleton.joints[i].name;
    bones.joints.push_back({name.empty() ? fmt::format("joint_{}", i) : name,
                            {frames[i].translation.x, frames[i].translation.y}});
  }
  for (const Bone& bone : skeleton.bones) {
    int to = bone.tail_joint;
    if (to == no_joint) {
      to = static_cast<int>(bones.joints.size());
      bones.joints.push_back({fmt::format("joint_{}", to), {bone.tail.x, bone.tail.y}});
    }
    bones.bones.push_back({"", bone.joint, to, 0});
  }
  name_bones(bones);
  validate(bones);
  return bones;
}

PictureBones picture_bones(const PlaneBones& placed) {
  if (placed.parents.size() != placed.segments.size()) {
    throw UsageError(fmt::format("there are {} segments, but {} parents", placed.segments.size(),
                                 placed.parents.size()));
  }
  PictureBones bones;
  for (std::size_t i = 0; i < placed.points.size(); ++i) {
    bones.joints.push_back({fmt::format("joint_{}", i), placed.points[i]});
  }
  for (std::size_t i = 0; i < placed.segments.size(); ++i) {
    const auto [from, to] = placed.segments[i];
    const int parent = placed.parents[i];
    const bool apart = parent >= 0 && placed.segments[parent][1] != from;
    bones.bones.push_back({"", from, to, 0, apart ? parent : no_picture_bone});
  }
  name_bones(bones);
  validate(bones);
  return bones;
}

PictureBones read_picture_bones(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension != ".json" && extension != ".tgf") {
    throw UsageError(path.string() + ": bones on a picture are a .json or .tgf file");
  }
  const std::string text = read_file(path);
  try {
    return extension == ".json" ? parse_picture_bones(text) : picture_bones(read_plane_tgf(text));
  } catch (const InputError& error) {
    throw error.in_file(path.string());
  }
}

std::vector<int> joints_before(const PictureBones& bones) {
  std::vector<int> before(bones.joints.size(), no_joint);
  const auto put_before = [&](int first, int second) {
    bool ring = false;
    for (int j = first; j != no_joint; j = before[j]) ring |= j == second;
    int& joint = before[second];
    if (joint == no_joint && !ring) joint = first;
  };
  for (const PictureBone& bone : bones.bones) put_before(bone.from, bone.to);
  for (const PictureBone& bone : bones.bones) {
    if (bone.parent == no_picture_bone) continue;
    put_before(bones.bones[bone.parent].to, bone.from);
  }
  return before;
}

bool is_carried(const PictureBones& bones, std::size_t joint, int before) {
  return before != no_joint &&
         std::none_of(bones.bones.begin(), bones.bones.end(), [&](const PictureBone& bone) {
           return bone.from == before && bone.to == static_cast<int>(joint);
         });
}

int find_joint(const PictureBones& bones, std::string_view name_or_number) {
  for (std::size_t i = 0; i < bones.joints.size(); ++i) {
    if (bones.joints[i].name == name_or_number) return static_cast<int>(i);
  }
  for (std::size_t i = 0; i < bones.joints.size(); ++i) {
    if (std::to_string(i) == name_or_number) return static_cast<int>(i);
  }
  return no_joint;
}

}  // namespace sinew
