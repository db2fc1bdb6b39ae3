// SPDX-License-Identifier: Apache-2.0
// A tube with everything that a method may have to carry along, and moments of a motion.
#pragma once

#include <vector>

#include "sinew/deform/bone_state.h"
#include "tests/support/tube.h"

namespace sinew::test {

// A tube with tangents and two shapes, one of them sparse.
inline Rig shaped_tube() {
  Rig rig = make_tube({.bones = 3});
  rig.mesh.normals = {vertex_normals(rig.mesh.positions, rig.mesh.triangles), {}};
  for (const Vec3& n : rig.mesh.normals.values) {
    const Vec3 t = any_perpendicular(n);
    rig.mesh.tangents.push_back({t.x, t.y, t.z, -1});
  }
  BlendShape wide, bump;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    wide.positions.push_back(rig.mesh.normals.values[v] * 0.1);
    if (v % 5 != 0) continue;
    bump.vertices.push_back(static_cast<Index>(v));
    bump.positions.push_back({0.01, 0.02, 0});
    bump.normals.push_back({0.1, 0, 0});
  }
  rig.mesh.shapes = {wide, bump};
  return rig;
}

struct ShapedMoment {
  std::vector<BoneState> bones;
  std::vector<double> shapes;
};

// Shapes stay for a while, and then change.
inline std::vector<ShapedMoment> moments(const Rig& rig) {
  std::vector<ShapedMoment> all;
  for (const double amount : {0.0, 0.4, 1.0}) {
    auto poses = rest_bones(rig);
    const Quat turn = rotation_about(Vec3{0, 0, 1}, amount);
    poses[1].end = poses[1].start + rotate(turn, poses[1].end - poses[1].start) * (1 + amount);
    poses[2].end += poses[1].end - poses[2].start;
    poses[2].start = poses[1].end;
    poses[1].twist_end = 2 * amount;
    all.push_back({bone_states(rig.skeleton, poses), {amount > 0.1 ? 0.5 : 0.0, 0.25}});
  }
  return all;
}

}  // namespace sinew::test
