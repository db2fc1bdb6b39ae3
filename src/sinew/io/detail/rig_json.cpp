// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/detail/rig_json.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

template <class Enum, std::size_t N>
using Names = std::array<std::pair<Enum, const char*>, N>;

constexpr Names<Interpolation, 4> interpolation_names = {{{Interpolation::step, "step"},
                                                          {Interpolation::linear, "linear"},
                                                          {Interpolation::hermite, "hermite"},
                                                          {Interpolation::bezier, "bezier"}}};
constexpr Names<Follow::Property, 3> property_names = {
    {{Follow::Property::translation, "translation"},
     {Follow::Property::rotation, "rotation"},
     {Follow::Property::scale, "scale"}}};

template <class Enum, std::size_t N>
const char* name_in(const Names<Enum, N>& names, Enum value) {
  return std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == value; })
      ->second;
}

template <class Enum, std::size_t N>
Enum value_in(const Names<Enum, N>& names, const JsonRef& ref) {
  std::string known;
  for (const auto& [value, name] : names) {
    if (ref.string() == name) return value;
    known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", name);
  }
  ref.fail("must be one of " + known);
}

Json vec3_to_json(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }

Json handles_to_json(const std::vector<Curve<double>::Handle>& handles) {
  Json list = Json::array();
  for (const auto& handle : handles) list.push_back(Json::array({handle.time, handle.value}));
  return list;
}

// `side` is -1 for handles before their keys and 1 for those after them. Only those of a Bezier
// curve have a time.
std::vector<Curve<double>::Handle> handles_from_json(const JsonRef& ref, std::size_t count,
                                                     bool has_times, int side) {
  if (ref.size() != count) ref.fail(fmt::format("must have {} handles, one for each key", count));
  std::vector<Curve<double>::Handle> handles;
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<double> numbers = ref.at(i).numbers(2);
    if (has_times && numbers[0] * side < 0) {
      ref.at(i).at(0).fail(side < 0 ? "must be 0 or less: the handle lies before its key"
                                    : "must be 0 or more: the handle lies after its key");
    }
    handles.push_back({numbers[0], numbers[1]});
  }
  return handles;
}

int control_from_json(const JsonRef& ref, std::span<const Control> controls) {
  if (!ref.value().is_string()) return ref.index(controls.size(), "controls");
  std::vector<std::string> names;
  for (const Control& control : controls) {
    if (control.name == ref.string()) return static_cast<int>(&control - controls.data());
    names.push_back(control.name);
  }
  ref.fail(
      fmt::format("there is no control '{}'{}", ref.string(), did_you_mean(ref.string(), names)));
}

void input_to_json(const DriverInput& input, const JointToJson& joint_to_json, Json& out) {
  if (const auto* angle = std::get_if<AngleInput>(&input)) {
    out["angle"] = {{"joint", joint_to_json(angle->joint)}};
    if (angle->axis) out["angle"]["axis"] = vec3_to_json(*angle->axis);
  } else {
    out["control"] = std::get<ControlInput>(input).control;
  }
}

DriverInput input_from_json(const JsonRef& ref, const JointFromJson& joint_from_json,
                            std::span<const Control> controls) {
  if (const auto angle = ref.find("angle")) {
    AngleInput input;
    input.joint = joint_from_json(angle->at("joint"));
    if (const auto axis = angle->find("axis")) input.axis = axis->vec3();
    return input;
  }
  return ControlInput{control_from_json(ref.at("control"), controls)};
}

Json follow_to_json(const Follow& follow, const JointToJson& joint_to_json) {
  Json out = {{"property", name_in(property_names, follow.property)},
              {"axis", vec3_to_json(follow.axis)},
              {"curve", curve_to_json(follow.curve)}};
  input_to_json(follow.input, joint_to_json, out);
  return out;
}

Follow follow_from_json(const JsonRef& ref, const JointFromJson& joint_from_json,
                        std::span<const Control> controls) {
  Follow follow;
  follow.property = value_in(property_names, ref.at("property"));
  if (const auto axis = ref.find("axis")) follow.axis = axis->vec3();
  follow.input = input_from_json(ref, joint_from_json, controls);
  follow.curve = curve_from_json(ref.at("curve"));
  return follow;
}

}  // namespace

JointToJson joints_by_index(std::span<const int> file_index) {
  return [file_index](JointIndex joint) { return Json(file_index[joint]); };
}

JointFromJson joints_from_index(std::span<const int> joint_of) {
  return [joint_of](const JsonRef& ref) {
    return JointIndex(joint_of[ref.index(joint_of.size(), "joints")]);
  };
}

Json curve_to_json(const Curve<double>& curve) {
  Json out = {{"interpolation", name_in(interpolation_names, curve.interpolation)},
              {"times", curve.times},
              {"values", curve.values}};
  if (!curve.in.empty()) out["in"] = handles_to_json(curve.in);
  if (!curve.out.empty()) out["out"] = handles_to_json(curve.out);
  return out;
}

Curve<double> curve_from_json(const JsonRef& ref) {
  Curve<double> curve;
  curve.interpolation = value_in(interpolation_names, ref.at("interpolation"));
  const JsonRef times = ref.at("times");
  curve.times = times.numbers();
  for (std::size_t i = 1; i < curve.times.size(); ++i) {
    if (!(curve.times[i] > curve.times[i - 1]))
      times.at(i).fail("must be later than the one before");
  }
  curve.values = ref.at("values").numbers(curve.times.size());
  if (curve.interpolation == Interpolation::hermite ||
      curve.interpolation == Interpolation::bezier) {
    const bool has_times = curve.interpolation == Interpolation::bezier;
    curve.in = handles_from_json(ref.at("in"), curve.times.size(), has_times, -1);
    curve.out = handles_from_json(ref.at("out"), curve.times.size(), has_times, 1);
  }
  return curve;
}

Json controls_to_json(std::span<const Control> controls) {
  Json list = Json::array();
  for (const Control& control : controls) {
    list.push_back({{"name", control.name}, {"default", control.default_value}});
  }
  return list;
}

std::vector<Control> controls_from_json(const JsonRef& ref) {
  std::vector<Control> controls;
  for (std::size_t i = 0; i < ref.size(); ++i) {
    const JsonRef item = ref.at(i);
    Control control;
    control.name = item.at("name").string();
    if (const auto value = item.find("default")) control.default_value = value->number();
    controls.push_back(std::move(control));
  }
  return controls;
}

Json drivers_to_json(std::span<const Driver> drivers, std::span<const ShapeDriver> shape_drivers,
                     const NamesToJson& names) {
  Json list = Json::array();
  for (const Driver& driver : drivers) {
    Json item = {{"joint", names.joint(driver.joint)}};
    if (const auto* share = std::get_if<RotationShare>(&driver.rule)) {
      item["share"] = {{"source", names.joint(share->source)}, {"share", share->share}};
    } else {
      item["follow"] = follow_to_json(std::get<Follow>(driver.rule), names.joint);
    }
    list.push_back(std::move(item));
  }
  for (const ShapeDriver& driver : shape_drivers) {
    Json follow = {{"curve", curve_to_json(driver.curve)}};
    input_to_json(driver.input, names.joint, follow);
    list.push_back({{"shape", names.shape(driver.shape)}, {"follow", std::move(follow)}});
  }
  return list;
}

DriverLists drivers_from_json(const JsonRef& ref, const NamesFromJson& names,
                              std::span<const Control> controls) {
  DriverLists drivers;
  for (std::size_t i = 0; i < ref.size(); ++i) {
    const JsonRef item = ref.at(i);
    if (const auto shape = item.find("shape")) {
      const JsonRef follow = item.at("follow");
      ShapeDriver driver{0, input_from_json(follow, names.joint, controls),
                         curve_from_json(follow.at("curve"))};
      for (const int named : names.shapes(*shape)) {
        driver.shape = named;
        drivers.shapes.push_back(driver);
      }
      continue;
    }
    Driver driver;
    driver.joint = names.joint(item.at("joint"));
    if (const auto share = item.find("share")) {
      driver.rule = RotationShare{names.joint(share->at("source")), share->at("share").number()};
    } else {
      driver.rule = follow_from_json(item.at("follow"), names.joint, controls);
    }
    drivers.joints.push_back(std::move(driver));
  }
  return drivers;
}

Json pose_spaces_to_json(std::span<const PoseSpace> spaces, const NamesToJson& names) {
  Json list = Json::array();
  for (const PoseSpace& space : spaces) {
    Json item = {{"joints", Json::array()}, {"examples", Json::array()}};
    for (const JointIndex joint : space.joints) item["joints"].push_back(names.joint(joint));
    if (space.radius) item["radius"] = degrees(*space.radius);
    for (const PoseExample& example : space.examples) {
      Json turns = Json::array(), shapes = Json::array();
      for (const Vec3& turn : example.turns) turns.push_back(vec3_to_json(turn * degrees(1.0)));
      for (const int shape : example.shapes) shapes.push_back(names.shape(shape));
      item["examples"].push_back({{"turns", std::move(turns)}, {"shapes", std::move(shapes)}});
    }
    list.push_back(std::move(item));
  }
  return list;
}

std::vector<PoseSpace> pose_spaces_from_json(const JsonRef& ref, const NamesFromJson& names) {
  std::vector<PoseSpace> spaces;
  for (std::size_t i = 0; i < ref.size(); ++i) {
    const JsonRef item = ref.at(i);
    PoseSpace space;
    const JsonRef joints = item.at("joints"), examples = item.at("examples");
    for (std::size_t j = 0; j < joints.size(); ++j)
      space.joints.push_back(names.joint(joints.at(j)));
    if (const auto radius = item.find("radius")) space.radius = radians(radius->number());
    for (std::size_t e = 0; e < examples.size(); ++e) {
      const JsonRef turns = examples.at(e).at("turns"), shapes = examples.at(e).at("shapes");
      PoseExample& example = space.examples.emplace_back();
      for (std::size_t j = 0; j < turns.size(); ++j) {
        example.turns.push_back(turns.at(j).vec3() * radians(1.0));
      }
      for (std::size_t s = 0; s < shapes.size(); ++s) {
        const std::vector<int> named = names.shapes(shapes.at(s));
        example.shapes.insert(example.shapes.end(), named.begin(), named.end());
      }
    }
    spaces.push_back(std::move(space));
  }
  return spaces;
}

Json control_channels_to_json(const Clip& clip) {
  Json list = Json::array();
  for (const Channel& channel : clip.channels) {
    if (const auto* control = std::get_if<ControlChannel>(&channel)) {
      list.push_back({{"control", control->control}, {"curve", curve_to_json(control->curve)}});
    }
  }
  return list;
}

std::vector<ControlChannel> control_channels_from_json(const JsonRef& ref,
                                                       std::size_t control_count) {
  std::vector<ControlChannel> channels;
  for (std::size_t i = 0; i < ref.size(); ++i) {
    const JsonRef item = ref.at(i);
    channels.push_back(
        {item.at("control").index(control_count, "controls"), curve_from_json(item.at("curve"))});
  }
  return channels;
}

Json tails_to_json(std::span<const Bone> bones, std::span<const int> file_index) {
  Json tails = Json::array();
  Json joints = Json::array();
  for (const Bone& bone : bones) {
    tails.push_back(vec3_to_json(bone.tail));
    joints.push_back(bone.tail_joint == no_joint ? Json() : Json(file_index[bone.tail_joint]));
  }
  return {{"tails", std::move(tails)}, {"tailJoints", std::move(joints)}};
}

std::vector<std::optional<StoredTail>> tails_from_json(const JsonRef& extras,
                                                       std::size_t bone_count,
                                                       std::span<const int> joint_of) {
  std::vector<std::optional<StoredTail>> stored(bone_count);
  const auto tails = extras.find("tails");
  if (!tails) return stored;
  const auto joints = extras.find("tailJoints");
  for (const auto* list : {&tails, &joints}) {
    if (*list && (*list)->size() != bone_count) {
      (*list)->fail(fmt::format("must have {} entries, one for each joint", bone_count));
    }
  }
  for (std::size_t i = 0; i < bone_count; ++i) {
    if (tails->at(i).value().is_null()) continue;
    stored[i] = StoredTail{tails->at(i).vec3(), no_joint};
    if (joints && !joints->at(i).value().is_null()) {
      stored[i]->joint = joints_from_index(joint_of)(joints->at(i));
    }
  }
  return stored;
}

}  // namespace sinew
