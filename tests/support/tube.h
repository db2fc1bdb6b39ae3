// SPDX-License-Identifier: Apache-2.0
// A straight tube along x with bones inside, for tests of deformation: exact geometry, known
// weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"
#include "sinew/skin/projection.h"

namespace sinew {

struct TubeOptions {
  int bones = 2;
  double bone_length = 1;
  double overhang = 0.5;  // how far the tube extends beyond the first and last bone
  double radius = 0.2;
  double blend = 0.25;  // half the length over which weights pass from one bone to the next
  int rings = 61;
  int sides = 16;
};

// Ring r, side s is vertex r * sides + s. Weights of neighbouring bones ramp linearly around each
// joint; endpoint weights by projection.
inline Rig make_tube(const TubeOptions& o = {}) {
  Rig rig;
  for (int b = 0; b < o.bones; ++b) {
    rig.skeleton.joints.push_back({"bone" + std::to_string(b),
                                   b - 1,
                                   {{b == 0 ? 0 : o.bone_length, 0, 0}, {}, {1, 1, 1}},
                                   false});
  }
  rig.skeleton.bones = bones_from_joints(rig.skeleton);
  Bone& last = rig.skeleton.bones.back();
  last.tail = last.head + Vec3{o.bone_length, 0, 0};

  const double length = o.bones * o.bone_length + 2 * o.overhang;
  for (int r = 0; r < o.rings; ++r) {
    const double x = -o.overhang + length * r / (o.rings - 1);
    std::vector<Influence> row;
    for (int b = 0; b < o.bones; ++b) {
      const auto ramp = [&](double at) {
        return std::clamp((x - at) / (2 * o.blend) + 0.5, 0.0, 1.0);
      };
      const double entered = b == 0 ? 1 : ramp(b * o.bone_length);
      const double left = b == o.bones - 1 ? 0 : ramp((b + 1) * o.bone_length);
      if (entered - left > 0) row.push_back({b, entered - left});
    }
    for (int s = 0; s < o.sides; ++s) {
      const double angle = 2 * pi * s / o.sides;
      rig.mesh.positions.push_back({x, o.radius * std::cos(angle), o.radius * std::sin(angle)});
      rig.skin.weights.push_row(row);
    }
  }
  for (int r = 0; r + 1 < o.rings; ++r) {
    for (int s = 0; s < o.sides; ++s) {
      const auto at = [&](int ring, int side) {
        return static_cast<Index>(ring * o.sides + side % o.sides);
      };
      rig.mesh.triangles.push_back({at(r, s), at(r, s + 1), at(r + 1, s)});
      rig.mesh.triangles.push_back({at(r, s + 1), at(r + 1, s + 1), at(r + 1, s)});
    }
  }
  rig.skin.endpoints = projection_endpoints(rig.mesh.positions, rig.skeleton, rig.skin.weights);
  return rig;
}

// Each bone at rest.
inline std::vector<BonePose> rest_bones(const Rig& rig) {
  std::vector<BonePose> poses;
  for (const Bone& bone : rig.skeleton.bones) poses.push_back({bone.head, bone.tail, {}, 0, 0});
  return poses;
}

inline std::vector<BoneState> at_rest(const Rig& rig) {
  return bone_states(rig.skeleton, rest_bones(rig));
}

// The states of a single pose of the joints, without a preceding pose.
inline std::vector<BoneState> states_of(const Rig& rig, const Pose& pose,
                                        const StateOptions& options = {}) {
  return bone_states(rig, pose, options);
}

// Rotated about the tube's axis.
inline Vec3 turned_about_x(const Vec3& p, double angle) {
  return rotate(rotation_about(Vec3{1, 0, 0}, angle), p);
}

}  // namespace sinew
