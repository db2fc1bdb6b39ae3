// SPDX-License-Identifier: Apache-2.0
// The numbers that several figures state.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"

namespace sinew::gallery {

// The worst values over all limbs; 0 or 1 if there is nothing to measure.
struct LimbNumbers {
  double cap_error = 0;    // deviation of caps from a rigid motion, relative to their size
  double missed = 0;       // distance of the bone's end from that motion's, relative to its length
  double radius = 1;       // of the thinnest section of twisted bones, relative to rest
  double near_joints = 0;  // share of the twist near joints
  double volume = 0;       // change of volume
};
LimbNumbers measure_limbs(const Rig& rig, std::span<const BoneState> states,
                          const std::vector<Vec3>& deformed);

// How far points are from having moved rigidly: root mean square, relative to that of their
// distances from their middle.
double not_rigid(std::span<const Vec3> before, std::span<const Vec3> after);

// How near to a bone's head the vertices come that it shares about equally with its parent,
// relative to rest: where a collapse is worst.
double distance_from_joint(const Rig& rig, std::span<const BoneState> states,
                           const std::vector<Vec3>& positions, int bone);

}  // namespace sinew::gallery
