// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/detail/muscles_json.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/detail/skin_json.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

Json direction_to_json(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }

}  // namespace

Json muscle_to_json(const Muscle& muscle, const JointToJson& joint_to_json) {
  if (muscle.is_none()) return {};
  Json out = Json::object();
  if (!muscle.profile.points.empty()) {
    out["profile"] = filter_to_json({muscle.profile.points, false});
  }
  if (muscle.stretch != 0) out["stretch"] = muscle.stretch;
  if (muscle.side) out["side"] = direction_to_json(*muscle.side);
  if (muscle.angle) {
    const MuscleAngle& angle = *muscle.angle;
    Json item = {{"joint", joint_to_json(angle.joint)},
                 {"range", Json::array({angle.start, angle.end})},
                 {"gain", angle.gain}};
    if (angle.axis) item["axis"] = direction_to_json(*angle.axis);
    out["angle"] = std::move(item);
  }
  return out;
}

Muscle muscle_from_json(const JsonRef& json, const JointFromJson& joint_from_json) {
  Muscle muscle;
  if (json.value().is_null()) return muscle;
  if (!json.value().is_object()) json.fail("must be a muscle or null");
  if (const auto profile = json.find("profile")) {
    for (std::size_t i = 0; i < profile->size(); ++i) {
      const std::vector<double> point = profile->at(i).numbers(2);
      muscle.profile.points.push_back({point[0], point[1]});
    }
  }
  if (const auto stretch = json.find("stretch")) muscle.stretch = stretch->number();
  if (const auto side = json.find("side")) muscle.side = side->vec3();
  if (const auto angle = json.find("angle")) {
    MuscleAngle& read = muscle.angle.emplace();
    read.joint = joint_from_json(angle->at("joint"));
    const std::vector<double> range = angle->at("range").numbers(2);
    read.start = range[0];
    read.end = range[1];
    read.gain = angle->at("gain").number();
    if (const auto axis = angle->find("axis")) read.axis = axis->vec3();
  }
  try {
    validate(muscle);
  } catch (const InputError& error) {
    json.fail(error.what());
  }
  return muscle;
}

Json muscles_to_json(std::span<const Muscle> muscles, const JointToJson& joint_to_json) {
  Json list = Json::array();
  for (const Muscle& muscle : muscles) list.push_back(muscle_to_json(muscle, joint_to_json));
  return list;
}

std::vector<Muscle> muscles_from_json(const JsonRef& json, std::size_t bone_count,
                                      const JointFromJson& joint_from_json) {
  if (json.size() != bone_count) {
    json.fail(fmt::format("must have {} entries, one for each joint", bone_count));
  }
  std::vector<Muscle> muscles;
  for (std::size_t i = 0; i < bone_count; ++i) {
    muscles.push_back(muscle_from_json(json.at(i), joint_from_json));
  }
  return muscles;
}

}  // namespace sinew
