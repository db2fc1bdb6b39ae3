// SPDX-License-Identifier: Apache-2.0
// An engine's own vertices and bone, skinned with sinew::runtime alone: stretched and twisted.
#include <cstdio>

#include "sinew/kernels/binding.h"
#include "sinew/skin/projection.h"

int main() {
  const sinew::Vec3 joints[]{{0, 0, 0}, {1, 0, 0}};
  const std::array<int, 2> bones[]{{0, 1}};
  const sinew::Influence whole[]{{0, 1.0}};
  sinew::Rig rig;
  rig.skeleton = sinew::skeleton_from_segments(joints, bones);
  for (int v = 0; v < 5; ++v) {
    rig.mesh.positions.push_back({v / 4.0, 0.1, 0});
    rig.skin.weights.push_row(whole);
  }
  rig.skin.endpoints =
      sinew::projection_endpoints(rig.mesh.positions, rig.skeleton, rig.skin.weights);
  const sinew::Binding binding(rig);
  const sinew::Plan plan(binding, sinew::method_from_name("stbs-lbs", rig));
  sinew::Palette palette(plan);
  const sinew::BonePose pose[]{{{0, 0, 0}, {1.5, 0, 0}, {}, 0, 1.5708}};
  palette.update(sinew::bone_states(rig.skeleton, pose));
  float out[5][3];
  deform(palette, {.positions = out[0]});
  for (const auto& p : out) std::printf("%6.3f %6.3f %6.3f\n", p[0], p[1], p[2]);
}
