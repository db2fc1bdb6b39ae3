// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/detail/limits_json.h"

#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/overload.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

constexpr const char* axis_members[3] = {"x", "y", "z"};

Vec3 unit_axis(const JsonRef& json) {
  const Vec3 axis = json.vec3();
  if (!has_length({}, axis)) json.fail("an axis must have a length");
  // One that was written keeps its bits.
  return std::fabs(length_squared(axis) - 1) < 1e-12 ? axis : normalized(axis);
}

struct AngleRange {
  double min = -pi, max = pi;
};
AngleRange angles_from_json(const JsonRef& json) {
  const std::vector<double> ends = json.numbers(2);
  return {radians(ends[0]), radians(ends[1])};
}

double rounded_degrees(double angle) { return std::round(degrees(angle) * 1e9) / 1e9; }

Json angles_to_json(double min, double max) {
  return Json::array({rounded_degrees(min), rounded_degrees(max)});
}

Json axis_to_json(const Vec3& axis) { return Json::array({axis.x, axis.y, axis.z}); }

ConeLimit cone_from_json(const JsonRef& json, const Vec3& bone_axis) {
  json.allow_only({"cone", "twist", "axis"});
  ConeLimit limit;
  if (bone_axis != Vec3{}) limit.axis = bone_axis;
  limit.swing = radians(json.at("cone").number());
  if (const auto axis = json.find("axis")) limit.axis = unit_axis(*axis);
  if (const auto twist = json.find("twist")) {
    const AngleRange range = angles_from_json(*twist);
    limit.twist_min = range.min;
    limit.twist_max = range.max;
  }
  return limit;
}

HingeLimit hinge_from_json(const JsonRef& json) {
  json.allow_only({"hinge", "range"});
  HingeLimit limit;
  limit.axis = unit_axis(json.at("hinge"));
  if (const auto given = json.find("range")) {
    const AngleRange range = angles_from_json(*given);
    limit.min = range.min;
    limit.max = range.max;
  }
  return limit;
}

AxesLimit axes_from_json(const JsonRef& json) {
  json.allow_only({"x", "y", "z"});
  AxesLimit limit;
  bool is_given = false;
  for (int i = 0; i < 3; ++i) {
    const auto given = json.find(axis_members[i]);
    if (!given) continue;
    is_given = true;
    const AngleRange range = angles_from_json(*given);
    limit.min[i] = range.min;
    limit.max[i] = range.max;
  }
  if (!is_given) json.fail("a limit has a \"cone\", a \"hinge\", or ranges of \"x\", \"y\", \"z\"");
  return limit;
}

}  // namespace

JointRange joint_range_from_json(const JsonRef& json, const Vec3& bone_axis) {
  JointRange range;
  if (json.find("cone")) {
    range = cone_from_json(json, bone_axis);
  } else if (json.find("hinge")) {
    range = hinge_from_json(json);
  } else {
    range = axes_from_json(json);
  }
  try {
    require_valid(range);
  } catch (const UsageError& error) {
    json.fail(error.what());
  }
  return range;
}

Json joint_range_to_json(const JointRange& range) {
  return std::visit(Overload{[](const ConeLimit& limit) -> Json {
                               return {{"cone", rounded_degrees(limit.swing)},
                                       {"twist", angles_to_json(limit.twist_min, limit.twist_max)},
                                       {"axis", axis_to_json(limit.axis)}};
                             },
                             [](const HingeLimit& limit) -> Json {
                               return {{"hinge", axis_to_json(limit.axis)},
                                       {"range", angles_to_json(limit.min, limit.max)}};
                             },
                             [](const AxesLimit& limit) {
                               Json json = Json::object();
                               for (int i = 0; i < 3; ++i) {
                                 json[axis_members[i]] = angles_to_json(limit.min[i], limit.max[i]);
                               }
                               return json;
                             }},
                    range);
}

Json limits_to_json(std::span<const IkLimit> limits, const JointToJson& joint_to_json) {
  Json list = Json::array();
  for (const IkLimit& limit : limits) {
    list.push_back(
        {{"joint", joint_to_json(limit.joint)}, {"limit", joint_range_to_json(limit.range)}});
  }
  return list;
}

std::vector<IkLimit> limits_from_json(const JsonRef& json, const JointFromJson& joint_from_json) {
  std::vector<IkLimit> limits;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const JsonRef item = json.at(i);
    const JointIndex joint = joint_from_json(item.at("joint"));
    limits.push_back({joint, joint_range_from_json(item.at("limit"), {})});
  }
  return limits;
}

}  // namespace sinew
