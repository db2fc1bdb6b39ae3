// SPDX-License-Identifier: Apache-2.0
// JSON for rig data that other formats cannot store: controls, generalized bones, drivers of blend
// shapes, pose spaces, the curves that drive controls, and bones' tails (for filters and offset
// curves see skin_json.h). In glTF it is stored under "extras": {"sinew": {"version": 1, ...}}
// (docs/files.md, docs/schema/):
//   document   "controls": [{"name": "breath", "default": 0}, ...]
//              "drivers": [{"joint": 7, "share": {"source": 3, "share": 0.5}},
//                          {"joint": 8, "follow": {"property": "scale", "axis": [1, 1, 1],
//                             "angle": {"joint": 3, "axis": [1, 0, 0]} (no axis: in all)
//                             or "control": 0,
//                             "curve": CURVE}},
//                          {"shape": [4, 0], "follow": {"control": 0, "curve": CURVE}}, ...]
//              "poseSpaces": [{"joints": [3], "radius": 60,
//                              "examples": [{"turns": [[0, 0, 120]], "shapes": [[4, 1]]}]}, ...]
//              "limits": [{"joint": 7, "limit": LIMIT}, ...] (limits_json.h)
//   animation  "controls": [{"control": 0, "curve": CURVE}, ...]
//   skin       "tails": [[x, y, z] or null, ...] for each joint of the skin, in mesh space
//              "tailJoints": [9 or null, ...] the joints that the bones point to
//              "twistShares": [null, 1, [0.25, 0.5], ...] for each joint of the skin: the shares of
//                 its twist that the bone before it and its own bone take; k: [k, 1 - k]; null: as
//                 plan_twists has it
//   primitive  "name": the name of the part, where it is not the mesh's
//   CURVE      {"interpolation": "step" | "linear" | "hermite" | "bezier", "times": [...],
//               "values": [...], "in": [[time, value], ...], "out": [[time, value], ...]}
// Joints are given by their index in the file, which in glTF is that of their node; shapes by the
// node and the number of the morph target. Internal to the readers and writers. The reading
// functions throw InputError with a JSON pointer.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "sinew/io/internal/checked_json.h"
#include "sinew/rig/rig.h"

namespace sinew {

nlohmann::json curve_to_json(const Curve<double>& curve);
Curve<double> curve_from_json(const JsonRef& json);

nlohmann::json controls_to_json(std::span<const Control> controls);
std::vector<Control> controls_from_json(const JsonRef& json);

// How a file refers to joints.
using JointToJson = std::function<nlohmann::json(JointIndex)>;
using JointFromJson = std::function<JointIndex(const JsonRef&)>;
// By their index in the file: `file_index[j]` is that of joint j; `joint_of[i]` is the joint with
// file index i. The lists must outlive the functions.
JointToJson joints_by_index(std::span<const int> file_index);
JointFromJson joints_from_index(std::span<const int> joint_of);

// How a file refers to blend shapes. A name may mean several.
using ShapeToJson = std::function<nlohmann::json(int)>;
using ShapesFromJson = std::function<std::vector<int>(const JsonRef&)>;

// How a file refers to both.
struct NamesToJson {
  JointToJson joint;
  ShapeToJson shape;
};
struct NamesFromJson {
  JointFromJson joint;
  ShapesFromJson shapes;
};

// Drivers of joints, then those of blend shapes, in one list.
nlohmann::json drivers_to_json(std::span<const Driver> drivers,
                               std::span<const ShapeDriver> shape_drivers,
                               const NamesToJson& names);
struct DriverLists {
  std::vector<Driver> joints;
  std::vector<ShapeDriver> shapes;
};
// Controls may also be given by name.
DriverLists drivers_from_json(const JsonRef& json, const NamesFromJson& names,
                              std::span<const Control> controls);

nlohmann::json pose_spaces_to_json(std::span<const PoseSpace> spaces, const NamesToJson& names);
std::vector<PoseSpace> pose_spaces_from_json(const JsonRef& json, const NamesFromJson& names);

// Only the channels that drive controls; an empty array if there are none.
nlohmann::json control_channels_to_json(const Clip& clip);
std::vector<ControlChannel> control_channels_from_json(const JsonRef& json,
                                                       std::size_t control_count);

struct StoredTail {
  Vec3 point;
  int joint = no_joint;  // Bone::tail_joint
};
// {"tails": ..., "tailJoints": ...} of the bones in the skin's order.
nlohmann::json tails_to_json(std::span<const Bone> bones, std::span<const int> file_index);
// `extras` is an object as written by tails_to_json; the result is empty for a bone without a
// stored tail. Without "tailJoints" the tails point to no joint.
std::vector<std::optional<StoredTail>> tails_from_json(const JsonRef& extras,
                                                       std::size_t bone_count,
                                                       std::span<const int> joint_of);

}  // namespace sinew
