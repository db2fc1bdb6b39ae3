// SPDX-License-Identifier: Apache-2.0
// Limits of joints as values in JSON documents: in pose files, in files of their own, in glTF.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "sinew/io/detail/rig_json.h"
#include "sinew/io/internal/checked_json.h"
#include "sinew/motion/ik_limits.h"

namespace sinew {

// {"cone": degrees, "twist": [from, to], "axis": [x,y,z]}, {"hinge": [x,y,z], "range": [from, to]}
// or {"x": [from, to], "y": ..., "z": ...}. A cone without an axis is about `bone_axis` or, if that
// has no length, about y. Throws InputError with a JSON pointer.
JointRange joint_range_from_json(const JsonRef& json, const Vec3& bone_axis);
// As it is read, with all members. Angles have 9 decimals, so that degrees come back as they were.
nlohmann::json joint_range_to_json(const JointRange& range);

// [{"joint": JOINT, "limit": {...}}, ...], as glTF has them.
nlohmann::json limits_to_json(std::span<const IkLimit> limits, const JointToJson& joint_to_json);
std::vector<IkLimit> limits_from_json(const JsonRef& json, const JointFromJson& joint_from_json);

}  // namespace sinew
