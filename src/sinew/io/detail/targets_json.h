// SPDX-License-Identifier: Apache-2.0
// The targets of a pose as members of a JSON object.
#pragma once

#include "sinew/deform/pose_targets.h"
#include "sinew/io/internal/checked_json.h"
#include "sinew/rig/rig.h"

namespace sinew {

// {"targets": {"joint": {"position": [x,y,z], "rotation": [x,y,z,w] | "kept", "pole": [x,y,z],
// "lengths": "kept" | "free" | "beyond-reach", "root": "joint", "weight": 0 to 1, "children":
// "follow" | "stay"}}, "limits": {"joint": {"cone": degrees, "twist": [from, to], "axis": [x,y,z]}
// | {"hinge": [x,y,z], "range": [from, to]} | {"x": [from, to], "y": ..., "z": ...} | null},
// "stiffness": {"joint": number | "rigid"}, "softness": number}. See IkHandle, IkGoal and IkOptions
// for their meaning. Limits of the rig hold, too, unless the joint has one here or null. None if
// there are no targets. Throws InputError with a JSON pointer.
PoseTargets parse_targets(const JsonRef& json, const Rig& rig);

}  // namespace sinew
