// SPDX-License-Identifier: Apache-2.0
// Tubes of bones for the tests of offset curve deformation.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/default_curves.h"
#include "sinew/deform/offset_curve.h"
#include "sinew/rig/rig.h"
#include "tests/support/comparing.h"
#include "tests/support/tube.h"

namespace sinew {

// Bones of length 1 along y, one after the other from the origin, in a tube of 20 rings for each
// and 24 sides. Bone weights go over from one bone to the next between a quarter of a bone before
// the joint and a quarter after it.
inline Rig jointed_tube(int bone_count = 2, double radius = 0.2) {
  Rig rig = make_tube({.bones = bone_count,
                       .overhang = 0,
                       .radius = radius,
                       .rings = 20 * bone_count + 1,
                       .sides = 24});
  for (Vec3& p : rig.mesh.positions) p = {-p.y, p.x, p.z};
  std::vector<Vec3> points;
  std::vector<std::array<int, 2>> segments;
  for (int b = 0; b <= bone_count; ++b) points.push_back({0, double(b), 0});
  for (int b = 0; b < bone_count; ++b) segments.push_back({b, b + 1});
  rig.skeleton = skeleton_from_segments(points, segments);
  return rig;
}

// The tube's bones bent by `bends[b]` radians about z (towards +x) at the head of bone b + 1.
inline std::vector<BonePose> bent_bones(const Rig& rig, const std::vector<double>& bends) {
  std::vector<BonePose> poses;
  double angle = 0;
  Vec3 head = rig.skeleton.bones.front().head;
  for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
    if (b > 0) angle -= bends[b - 1];
    const Quat turn = rotation_about(Vec3{0, 0, 1}, angle);
    const Bone& bone = rig.skeleton.bones[b];
    const Vec3 tail = head + rotate(turn, bone.tail - bone.head);
    poses.push_back({head, tail, turn, 0, 0});
    head = tail;
  }
  return poses;
}

// Every bone where it is at bind.
inline std::vector<BoneState> rest_states(const Rig& rig) {
  return bone_states(rig.skeleton, rest_bones(rig));
}

inline std::vector<BoneState> bent_states(const Rig& rig, const std::vector<double>& bends) {
  return bone_states(rig.skeleton, bent_bones(rig, bends));
}

// rigid_motion_error of a bent, twisted and stretched tube.
template <class Deform>
double rigid_motion_error_of_tube(const Deform& deform) {
  const Rig rig = jointed_tube(3);
  auto poses = bent_bones(rig, {1.1, -2.0});
  poses[1].twist_end = 2.5;
  poses[2].end = lerp(poses[2].start, poses[2].end, 1.7);
  return rigid_motion_error(rig.skeleton, poses,
                            [&](const auto& states) { return deform(rig, states); });
}

// What lies beyond the ends of a tube that is bent by a right angle and whose second bone is three
// times as long keeps its distance from them.
template <class Deform>
void expect_rigid_beyond_the_ends(const Deform& deform) {
  Rig rig = jointed_tube(2);
  for (Vec3& p : rig.mesh.positions) p.y = p.y > 1 ? 2.4 : -0.3;
  rig.skin = {};
  auto poses = bent_bones(rig, {pi / 2});
  poses[1].end = lerp(poses[1].start, poses[1].end, 3.0);
  for (const Vec3& p : deform(rig, bone_states(rig.skeleton, poses))) {
    if (p.y < 0.5) {
      EXPECT_NEAR(p.y, -0.3, 1e-12);
    } else {
      EXPECT_NEAR(p.x, 3.4, 1e-12);
    }
  }
}

// A tube whose rest pose is already bent: the mesh is a tube pushed through `bends`, the bones with
// it.
inline Rig bent_tube_rig(const std::vector<double>& bends, const std::vector<Vec3>& positions,
                         const Rig& straight) {
  Rig rig = straight;
  rig.mesh.positions = positions;
  const auto poses = bent_bones(straight, bends);
  std::vector<Vec3> points{poses.front().start};
  std::vector<std::array<int, 2>> segments;
  for (std::size_t b = 0; b < poses.size(); ++b) {
    points.push_back(poses[b].end);
    segments.push_back({static_cast<int>(b), static_cast<int>(b) + 1});
  }
  rig.skeleton = skeleton_from_segments(points, segments);
  return rig;
}

}  // namespace sinew
