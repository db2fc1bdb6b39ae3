// SPDX-License-Identifier: Apache-2.0
// A pose moved as a whole, in which nothing is deformed.
#pragma once

#include <vector>

#include "sinew/deform/bone_state.h"

namespace sinew {

// Turned about the origin and then moved.
inline std::vector<BonePose> moved(std::vector<BonePose> poses, const Quat& turn, const Vec3& by) {
  for (BonePose& pose : poses) {
    pose.start = rotate(turn, pose.start) + by;
    pose.end = rotate(turn, pose.end) + by;
    pose.rotation = turn;
  }
  return poses;
}

}  // namespace sinew
