// SPDX-License-Identifier: Apache-2.0
// The settings that a rig keeps beside its weights, as JSON for people and programs: joints, bones
// and controls by name (docs/files.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/gltf.h"
#include "sinew/rig/rig.h"

namespace sinew {

// One object with
//   "endpoint_weights", "twist_endpoint_weights"   whether there are any
//   "blend_shares"    null, or {"least", "most", "mean"}
//   "filters"         {BONE: {"stretch": FILTER, "twist": FILTER}}, of the bones that have one
//   "muscles"         {BONE: MUSCLE}, of the bones that have one (docs/files.md)
//   "twist_shares"    {JOINT: [parent, own]}, where they are set and not chosen automatically
//   "controls", "drivers", "pose_spaces"   as parse_drivers() reads them
//   "limits"          {JOINT: LIMIT}, as parse_limits() reads them
//   "offset_curves"   null, or as parse_offset_curves() reads them; painted weights only as
//                     "painted": true
// The rig must be valid.
std::string settings_to_json(const Rig& rig);

// {"upper_arm.L": {"stretch": 1, "angle": {"joint": "forearm.L", "range": [0, 120], "gain": 0.4},
// "side": [0, 0, 1], "profile": [[0, 0], [0.4, 1], [1, 0]]}}, all muscles of the rig's bones; what
// is missing has its default. Bones and joints by name or number. Throws InputError with a JSON
// pointer. The result has one for each bone, or none at all.
std::vector<Muscle> parse_muscles(std::string_view json, const Rig& rig);
// As it is read. The rig must be valid.
std::string muscles_to_json(const Rig& rig);

// {"controls": [...], "drivers": [...], "poseSpaces": [...]}, as parse_drivers() reads it.
std::string drivers_to_json(const Rig& rig);

// The joints and blend shapes that are computed, and what they may be computed from.
struct GeneralizedBones {
  std::vector<Control> controls;
  std::vector<Driver> drivers;
  std::vector<ShapeDriver> shape_drivers;
  std::vector<PoseSpace> pose_spaces;
};

// {"controls": [{"name": "breath", "default": 0}], "drivers": [{"joint": "kneecap.L", "share":
// {"source": "shin.L", "share": 0.5}}, {"joint": "chest", "follow": {"property": "scale", "axis":
// [1, 1, 1], "control": "breath", "curve": {"interpolation": "linear", "times": [0, 1], "values":
// [1, 1.1]}}}, {"shape": "smile", "follow": {"control": "joy", "curve": ...}}], "poseSpaces":
// [{"joints": ["forearm.L"], "radius": 60, "examples": [{"turns": [[0, 0, 120]], "shapes":
// ["elbow"]}]}]}, all of the rig's generalized bones and driven blend shapes. Without "controls" or
// "poseSpaces", those of the rig stay. Joints, controls and blend shapes by name or number; a name
// of several blend shapes means all of them. Throws InputError with a JSON pointer.
GeneralizedBones parse_drivers(std::string_view json, const Rig& rig);

// {"limits": {"forearm.L": {"hinge": [0, 1, 0], "range": [-150, 0]}, "hand.L": {"cone": 60}}}, all
// limits of the rig's joints, in the form of pose files (docs/files.md). Joints by name or number.
// Throws InputError with a JSON pointer.
std::vector<IkLimit> parse_limits(std::string_view json, const Rig& rig);

// {"roundness": 0.5, "placement": 2.2, "curves": [{"bones": ["thigh.L", "shin.L"], "leadIn":
// "pelvis", "outward": 0.01}], "controls": {"shin.L": {"slide": 0.1}}, "paintedWeights": [[1, 0],
// ...]}. What is missing stays as the rig has it. "curves" are all influence curves; without them,
// those of the rig or, if it has none, default_curves(). "controls" then changes single controls of
// the curve that the bone is in. "paintedWeights" has a row of curves for each vertex, or is the
// name of a .dmat file, which `loader` returns; null removes them, and so do other curves. Bones by
// name or number. Throws InputError with a JSON pointer.
OffsetCurves parse_offset_curves(std::string_view json, const Rig& rig,
                                 const UriLoader& loader = {});

}  // namespace sinew
