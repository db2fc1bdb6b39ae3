// SPDX-License-Identifier: Apache-2.0
// A pose by joints as a value in a JSON document: a pose file, or one key of a key file.
#pragma once

#include "sinew/deform/pose_clip.h"
#include "sinew/io/internal/checked_json.h"
#include "sinew/rig/rig.h"

namespace sinew {

// See parse_pose() for the form; `teller` is made of the rig's skeleton. Generalized bones are
// computed.
ToldPose parse_joint_pose(const JsonRef& json, const Rig& rig, const PoseTeller& teller);

// The same with its targets, not solved.
PoseKey parse_joint_key(const JsonRef& json, const Rig& rig, const PoseTeller& teller);

// [x, y, z], not so large that its square is infinite.
Vec3 bounded_vec3(const JsonRef& json);

// [x, y, z, w] of length 1 to within a hundredth, normalised.
Quat unit_quaternion(const JsonRef& json);

}  // namespace sinew
