// SPDX-License-Identifier: Apache-2.0
#include "measuring.h"

#include <algorithm>
#include <cmath>

#include "sinew/measure/caps.h"
#include "sinew/measure/rigid_fit.h"
#include "sinew/measure/twist.h"
#include "sinew/measure/volume.h"

namespace sinew::gallery {

LimbNumbers measure_limbs(const Rig& rig, std::span<const BoneState> states,
                          const std::vector<Vec3>& deformed) {
  const std::vector<Vec3>& rest = rig.mesh.positions;
  LimbNumbers numbers;
  for (const CapError& cap : cap_errors(rig.skeleton, rig.skin.weights, states, rest, deformed)) {
    numbers.cap_error = std::max(numbers.cap_error, cap.rms);
    numbers.missed = std::max(numbers.missed, cap.missed);
  }
  const auto sections = bone_sections(rig.mesh.triangles, rig.skin.weights, states, rest, deformed);
  const auto twisted = twisted_bones(rig.skeleton, states);
  for (std::size_t b = 0; b < sections.size(); ++b) {
    if (!twisted[b]) continue;
    for (const Section& section : sections[b]) {
      numbers.radius = std::min(numbers.radius, section.radius);
    }
  }
  numbers.near_joints = share_near_joints(joint_twists(rig.skeleton, states, sections)).value_or(0);
  const auto volume = volume_change(rig.mesh.triangles, rest, deformed);
  if (volume) numbers.volume = volume->change();
  return numbers;
}

double not_rigid(std::span<const Vec3> before, std::span<const Vec3> after) {
  const RigidMotion motion = fit_rigid(before, after);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    error += length_squared(motion(before[i]) - after[i]);
    size += length_squared(before[i] - motion.from);
  }
  return std::sqrt(error / size);
}

double distance_from_joint(const Rig& rig, std::span<const BoneState> states,
                           const std::vector<Vec3>& positions, int bone) {
  const BoneState& state = states[bone];
  double least = 1;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    for (const Influence& influence : rig.skin.weights.row(v)) {
      if (influence.bone != bone || influence.weight < 0.4 || influence.weight > 0.6) continue;
      least = std::min(least, distance(positions[v], state.posed_head) /
                                  distance(rig.mesh.positions[v], state.head));
    }
  }
  return least;
}

}  // namespace sinew::gallery
