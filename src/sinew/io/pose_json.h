// SPDX-License-Identifier: Apache-2.0
// Pose files, which give a pose per bone or per joint.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"

namespace sinew {

// The contents of a pose file: one BonePose per bone of the skeleton, or a Pose of its joints.
using PoseFile = std::variant<std::vector<BonePose>, Pose>;

// {"bones": [{"start": [x,y,z], "end": [x,y,z], "rotation": [x,y,z,w], "twist": [degrees,
// degrees]},
// ...]} with rotation and twist optional; or {"joints": {"name or index": {"rotation": [...],
// "translation": [...], "scale": [...]}}}, relative to the parent, what is missing as at rest, and
// beside it, if wanted, {"shapes": {"name or index": weight}, "controls": {"name or index":
// value}}. An index is a place in the rig's list of joints, shapes or controls. Throws InputError
// with a JSON pointer, also for members that have no meaning here.
PoseFile parse_pose(std::string_view json, const Rig& rig);

}  // namespace sinew
