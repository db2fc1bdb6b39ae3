// SPDX-License-Identifier: Apache-2.0
// The numbers that several figures state.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"

namespace sinew::gallery {

// The worst over all limbs; 0 or 1 where nothing of the kind is there.
struct LimbNumbers {
  double cap_error = 0;    // what lies beyond free ends, away from a rigid motion: of its size
  double missed = 0;       // how far that motion misses the bone's end: of the bone's length
  double radius = 1;       // of the thinnest section of twisted bones, relative to rest
  double near_joints = 0;  // the share of the twist there
  double volume = 0;       // its change
};
LimbNumbers measure_limbs(const Rig& rig, std::span<const BoneState> states,
                          const std::vector<Vec3>& deformed);

}  // namespace sinew::gallery
