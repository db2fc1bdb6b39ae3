// SPDX-License-Identifier: Apache-2.0
// Pose files, which give a pose per bone or by joint.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/told_pose.h"
#include "sinew/rig/rig.h"

namespace sinew {

// The contents of a pose file: one BonePose per bone of the skeleton, or a pose of its joints.
using PoseFile = std::variant<std::vector<BonePose>, ToldPose>;

// By bones: {"bones": [{"start": [x,y,z], "end": [x,y,z], "rotation": [x,y,z,w], "twist": [degrees,
// degrees]}, ...]} with rotation and twist optional. By joints: {"joints": {"name or index":
// {"rotation": [...], "translation": [...], "scale": [...], "twist": degrees, "stretch": factor,
// "bend": [degrees, axis]}}}, where the first three are relative to the parent, the last three to
// rest (see PoseTeller); an axis is "x", "y", "z" or [x,y,z] in the joint's frame, several bends
// are a list of such pairs. What is missing is as at rest. Beside it, if wanted, {"shapes": {"name
// or index": weight}, "controls": {"name or index": value}}. An index is a place in the rig's list
// of joints, shapes or controls. With {"targets": ...} beside or instead of the joints, these are
// where the pose starts from (see parse_targets()); `notes` gets a line for each target that is out
// of reach. Throws InputError with a JSON pointer, also for members that have
// no meaning here.
PoseFile parse_pose(std::string_view json, const Rig& rig,
                    std::vector<std::string>* notes = nullptr);

// A pose file by joints that parse_pose() reads back as `pose`, with one line per joint: twist,
// stretch and bend to be changed by hand, and the transform relative to the parent. Generalized
// bones are left out, and scene nodes that are at rest. The bits are the same, except for the
// rotations of joints in pose.twists, which are to within rounding. Throws UsageError for a pose
// that does not fit the rig, InputError for joints that cannot be told apart by name or number.
std::string write_pose(const Rig& rig, const ToldPose& pose);

}  // namespace sinew
