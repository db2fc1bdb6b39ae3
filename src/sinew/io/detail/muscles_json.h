// SPDX-License-Identifier: Apache-2.0
// Muscles as values in JSON documents:
//   {"profile": [[x, y], ...], "stretch": 1, "side": [x, y, z],
//    "angle": {"joint": JOINT, "axis": [x, y, z], "range": [start, end], "gain": 0.3}}
// What has its default is left out, but for the range and the gain. In glTF extras a skin has
// "muscles": [null, {...}, ...], one for each of its joints. Internal to the readers and writers.
// The reading functions throw InputError with a JSON pointer.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "sinew/io/detail/rig_json.h"
#include "sinew/io/internal/checked_json.h"
#include "sinew/skin/muscle.h"

namespace sinew {

// Null for a muscle that nothing drives.
nlohmann::json muscle_to_json(const Muscle& muscle, const JointToJson& joint_to_json);
Muscle muscle_from_json(const JsonRef& json, const JointFromJson& joint_from_json);

nlohmann::json muscles_to_json(std::span<const Muscle> muscles, const JointToJson& joint_to_json);
std::vector<Muscle> muscles_from_json(const JsonRef& json, std::size_t bone_count,
                                      const JointFromJson& joint_from_json);

}  // namespace sinew
