// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/detail/skin_json.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

constexpr std::pair<const char*, double CurveControls::*> control_numbers[] = {
    {"along", &CurveControls::along},
    {"outward", &CurveControls::outward},
    {"rescale", &CurveControls::rescale},
    {"slide", &CurveControls::slide}};
constexpr std::pair<const char*, FilterCurve CurveControls::*> control_curves[] = {
    {"twist", &CurveControls::twist}, {"scale", &CurveControls::scale}};

InfluenceCurve influence_curve_from_json(const JsonRef& json, const BoneFromJson& bone_from_json) {
  InfluenceCurve curve;
  const JsonRef bones = json.at("bones");
  if (bones.size() == 0) bones.fail("must name the bones of the curve");
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const BoneIndex bone = bone_from_json(bones.at(i));
    if (std::find(curve.bones.begin(), curve.bones.end(), bone) != curve.bones.end()) {
      bones.at(i).fail("names a bone that is in the curve already");
    }
    curve.bones.push_back(bone);
  }
  const auto lead_in = json.find("leadIn");
  if (lead_in && !lead_in->value().is_null()) {
    curve.lead_in = bone_from_json(*lead_in);
    if (std::find(curve.bones.begin(), curve.bones.end(), curve.lead_in) != curve.bones.end()) {
      lead_in->fail("names a bone of the curve itself; it is the bone before the first");
    }
  }
  read_curve_controls(json, curve.controls);
  return curve;
}

}  // namespace

Json filter_to_json(const FilterCurve& curve) {
  Json points = Json::array();
  for (const Vec2& point : curve.points) points.push_back(Json::array({point.x, point.y}));
  return curve.free ? Json{{"free", std::move(points)}} : points;
}

FilterCurve filter_from_json(const JsonRef& json) {
  FilterCurve curve;
  curve.free = json.value().is_object();
  const JsonRef points = curve.free ? json.at("free") : json;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::vector<double> point = points.at(i).numbers(2);
    curve.points.push_back({point[0], point[1]});
  }
  try {
    validate(curve);
  } catch (const InputError& error) {
    points.fail(error.what());
  }
  return curve;
}

Json filters_to_json(std::span<const BoneFilter> filters) {
  Json list = Json::array();
  for (const BoneFilter& filter : filters) {
    list.push_back(
        {{"stretch", filter_to_json(filter.stretch)}, {"twist", filter_to_json(filter.twist)}});
  }
  return list;
}

std::vector<BoneFilter> filters_from_json(const JsonRef& json, std::size_t bone_count) {
  if (json.size() != bone_count) {
    json.fail(fmt::format("must have {} entries, one for each joint", bone_count));
  }
  std::vector<BoneFilter> filters;
  for (std::size_t i = 0; i < bone_count; ++i) {
    filters.push_back(
        {filter_from_json(json.at(i).at("stretch")), filter_from_json(json.at(i).at("twist"))});
  }
  return filters;
}

Json curve_controls_to_json(const CurveControls& controls) {
  const CurveControls plain;
  Json out = Json::object();
  for (const auto& [name, member] : control_numbers) {
    if (controls.*member != plain.*member) out[name] = controls.*member;
  }
  for (const auto& [name, member] : control_curves) {
    if (controls.*member != plain.*member) out[name] = filter_to_json(controls.*member);
  }
  return out;
}

void read_curve_controls(const JsonRef& json, CurveControls& controls) {
  for (const auto& [name, member] : control_numbers) {
    if (const auto value = json.find(name)) controls.*member = value->number();
  }
  for (const auto& [name, member] : control_curves) {
    if (const auto value = json.find(name)) controls.*member = filter_from_json(*value);
  }
}

Json offset_curves_to_json(const OffsetCurves& settings, const BoneToJson& bone_to_json) {
  if (settings == OffsetCurves{}) return {};
  Json out = {{"roundness", settings.roundness}, {"placement", settings.placement}};
  for (const InfluenceCurve& curve : settings.curves) {
    Json item = curve_controls_to_json(curve.controls);
    item["bones"] = Json::array();
    for (const BoneIndex bone : curve.bones) item["bones"].push_back(bone_to_json(bone));
    if (curve.lead_in != no_bone) item["leadIn"] = bone_to_json(curve.lead_in);
    out["curves"].push_back(std::move(item));
  }
  return out;
}

OffsetCurves offset_curves_from_json(const JsonRef& json, const BoneFromJson& bone_from_json) {
  OffsetCurves settings;
  if (const auto roundness = json.find("roundness")) {
    settings.roundness = roundness->number();
    if (!(settings.roundness >= 0)) roundness->fail("must be 0 or more");
  }
  if (const auto placement = json.find("placement")) {
    settings.placement = placement->number();
    if (!(settings.placement > 0)) placement->fail("must be above 0");
  }
  if (const auto curves = json.find("curves")) {
    for (std::size_t c = 0; c < curves->size(); ++c) {
      settings.curves.push_back(influence_curve_from_json(curves->at(c), bone_from_json));
    }
  }
  return settings;
}

}  // namespace sinew
