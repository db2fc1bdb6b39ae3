// SPDX-License-Identifier: Apache-2.0
// A tube along x with hips in its middle and an arm of two bones on each side, left where x is
// positive: small enough for tests of what depends on sides and on names.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/support/tube.h"

namespace sinew {

// Symmetric in every bit if `rings` is odd; weights ramp linearly around each joint.
inline Rig make_two_arms(int rings = 81) {
  Rig rig = make_tube({.bones = 4, .overhang = 0, .rings = rings, .sides = 12});
  rig.name = "two arms";
  for (Vec3& p : rig.mesh.positions) p.x -= 2;
  rig.skeleton = {};
  const auto add = [&](const char* name, int parent, double x) {
    rig.skeleton.joints.push_back({name, parent, {{x, 0, 0}, {}, {1, 1, 1}}, false});
  };
  add("hips", -1, 0);
  add("upper_arm.L", 0, 0.25);
  add("forearm.L", 1, 0.75);
  add("upper_arm.R", 0, -0.25);
  add("forearm.R", 3, -0.75);
  rig.skeleton.bones = bones_from_joints(rig.skeleton);
  rig.skeleton.bones[0].tail = {0, 0.25, 0};
  rig.skeleton.bones[0].tail_joint = no_joint;
  rig.skeleton.bones[2].tail = {2, 0, 0};
  rig.skeleton.bones[4].tail = {-2, 0, 0};
  rig.skin = {};
  for (const Vec3& p : rig.mesh.positions) {
    const auto beyond = [&](double at) {
      return std::clamp((std::fabs(p.x) - at) / 0.2 + 0.5, 0.0, 1.0);
    };
    const double arm = beyond(0.25), forearm = beyond(1);
    std::vector<Influence> row;
    const int first = p.x > 0 ? 1 : 3;
    if (arm < 1) row.push_back({0, 1 - arm});
    if (arm - forearm > 0) row.push_back({first, arm - forearm});
    if (forearm > 0) row.push_back({first + 1, forearm});
    rig.skin.weights.push_row(row);
  }
  rig.skin.endpoints = projection_endpoints(rig.mesh.positions, rig.skeleton, rig.skin.weights);
  return rig;
}

}  // namespace sinew
