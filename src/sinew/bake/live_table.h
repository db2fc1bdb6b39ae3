// SPDX-License-Identifier: Apache-2.0
// The table from which a script moves the helpers of a baked rig in poses outside its clips.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/quat.h"

namespace sinew {

// The twist of `joint` relative to `parent`, which need not be its direct parent: with q =
// conj(Q_parent) Q_joint conj(bind), Q world rotations, it is 2 atan2(axis . q.xyz, q.w).
struct LiveTwist {
  std::string joint, parent;
  Vec3 axis;  // unit, in the frame of `parent`
  Quat bind;  // the rotation of `joint` in the frame of `parent` at bind
  double share = 0;
};

// Expressed in the frame of the helper's parent node, which has the same origin as the joint.
struct LiveHelper {
  std::string name;
  std::string joint;  // the joint whose bone it helps
  Vec3 axis;          // unit, along the bone at bind
  double length = 0;  // of the bone at bind
  double place = 0;   // along the bone at bind: 0 at its head, 1 at its tail
  Quat rotation;      // at bind
  std::vector<LiveTwist> twists;
  std::string stretch_joint;  // at the bone's tail; empty: nothing stretches the bone
  double stretch_share = 0;
};

// With d the direction of the stretch joint, L its distance, S the smallest rotation from the axis
// to d, and a the sum of the twists by their shares, a helper is at
// d (place * length + stretch_share * (L - length)), turned by S * rotation_about(axis, a) *
// rotation.
struct LiveTable {
  std::vector<LiveHelper> helpers;
};

// One object, indented by one space: {"version": 1, "helpers": [{"helper", "joint", "axis",
// "length", "place", "rotation", "twists": [{"joint", "parent", "axis", "bind", "share"}],
// "stretch": {"joint", "share"} or null}]}, quaternions as x, y, z, w.
std::string to_json(const LiveTable& table);

}  // namespace sinew
