// SPDX-License-Identifier: Apache-2.0
#include "measuring.h"

#include "sinew/measure/caps.h"
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

}  // namespace sinew::gallery
