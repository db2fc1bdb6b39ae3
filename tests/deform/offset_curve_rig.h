// SPDX-License-Identifier: Apache-2.0
// Tubes of bones for the tests of offset curve deformation.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"

namespace sinew {

// A tube of radius `radius` along y from 0 to `height`, of rings of 24 vertices, open at both ends.
inline Mesh tube_mesh(double height, double radius, int rings = 41, int around = 24) {
  Mesh mesh;
  for (int r = 0; r < rings; ++r) {
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * pi * k / around;
      mesh.positions.push_back(
          {radius * std::cos(angle), height * r / (rings - 1), radius * std::sin(angle)});
    }
  }
  const auto at = [&](int r, int k) { return static_cast<Index>(r * around + k % around); };
  for (int r = 0; r + 1 < rings; ++r) {
    for (int k = 0; k < around; ++k) {
      mesh.triangles.push_back({at(r, k), at(r + 1, k), at(r + 1, k + 1)});
      mesh.triangles.push_back({at(r, k), at(r + 1, k + 1), at(r, k + 1)});
    }
  }
  return mesh;
}

// Bones of length 1 along y, one after the other, in a tube. Bone weights go over from one bone to
// the next between a quarter of a bone before the joint and a quarter after it.
inline Rig tube_rig(int bone_count = 2, double radius = 0.2) {
  Rig rig;
  rig.mesh = tube_mesh(bone_count, radius, 20 * bone_count + 1);
  std::vector<Vec3> points;
  std::vector<std::array<int, 2>> segments;
  for (int b = 0; b <= bone_count; ++b) points.push_back({0, double(b), 0});
  for (int b = 0; b < bone_count; ++b) segments.push_back({b, b + 1});
  rig.skeleton = skeleton_from_segments(points, segments);
  for (const Vec3& p : rig.mesh.positions) {
    std::vector<Influence> row;
    for (int b = 0; b < bone_count; ++b) {
      const auto step = [&](double joint) {
        return std::clamp((p.y - joint) / 0.5 + 0.5, 0.0, 1.0);
      };
      const double weight = (b == 0 ? 1 : step(b)) - (b + 1 == bone_count ? 0 : step(b + 1));
      if (weight > 0) row.push_back({b, weight});
    }
    rig.weights.push_row(row);
  }
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
  std::vector<BonePose> poses;
  for (const Bone& bone : rig.skeleton.bones) poses.push_back({bone.head, bone.tail, Quat{}, 0, 0});
  return bone_states(rig.skeleton, poses);
}

inline std::vector<BoneState> bent_states(const Rig& rig, const std::vector<double>& bends) {
  return bone_states(rig.skeleton, bent_bones(rig, bends));
}

// The largest distance between the two, point by point.
inline double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t v = 0; v < std::min(a.size(), b.size()); ++v) {
    largest = std::max(largest, distance(a[v], b[v]));
  }
  return largest;
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
