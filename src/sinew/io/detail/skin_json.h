// SPDX-License-Identifier: Apache-2.0
// JSON for the settings of a skin, as glTF extras and settings files hold them:
//   skin       "filters": [{"stretch": FILTER, "twist": FILTER}, ...] for each joint of the skin
//   document   "offsetCurves": {"roundness": 0.5, "placement": 2.2, "curves": [{"bones": [BONE,
//   ...],
//                 "leadIn": BONE, "along": 0, "outward": 0, "rescale": 1, "slide": 0,
//                 "twist": FILTER, "scale": FILTER}, ...]}; what is left out has its default
//   FILTER     [[x, y], ...], monotone, or {"free": [[x, y], ...]}
// Internal to the readers and writers. The reading functions throw InputError with a JSON pointer.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "sinew/io/internal/checked_json.h"
#include "sinew/skin/influence_curves.h"

namespace sinew {

nlohmann::json filter_to_json(const FilterCurve& curve);
FilterCurve filter_from_json(const JsonRef& json);

nlohmann::json filters_to_json(std::span<const BoneFilter> filters);
std::vector<BoneFilter> filters_from_json(const JsonRef& json, std::size_t bone_count);

// How a file refers to bones.
using BoneToJson = std::function<nlohmann::json(BoneIndex)>;
using BoneFromJson = std::function<BoneIndex(const JsonRef&)>;

// Only the controls that are not at their defaults.
nlohmann::json curve_controls_to_json(const CurveControls& controls);
// `controls` keeps what is not said. Ignores members of an influence curve that are no controls.
void read_curve_controls(const JsonRef& json, CurveControls& controls);

// Without the painted weights; null if all settings have their defaults.
nlohmann::json offset_curves_to_json(const OffsetCurves& settings, const BoneToJson& bone_to_json);
OffsetCurves offset_curves_from_json(const JsonRef& json, const BoneFromJson& bone_from_json);

}  // namespace sinew
