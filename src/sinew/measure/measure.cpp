// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/measure.h"

#include <algorithm>
#include <utility>

namespace sinew {

Measures measure(const Rig& rig, std::span<const BoneState> states, const std::vector<Vec3>& rest,
                 const std::vector<Vec3>& deformed) {
  const std::vector<Triangle>& triangles = rig.mesh.triangles;
  Measures result;
  result.volume = volume_change(triangles, rest, deformed);
  result.edges = edge_stretch(triangles, rest, deformed);
  result.caps = cap_errors(rig.skeleton, rig.skin.weights, states, rest, deformed);
  PartErrors parts = part_errors(rig, states, rest, deformed);
  result.parts = std::move(parts.parts);
  result.strain = summarize(triangle_strains(triangles, rest, deformed),
                            strain_bounds(triangles, rig.skin.weights, states), parts.displaced);
  result.intersections = self_intersections(triangles, rest, deformed);

  const auto sections = bone_sections(triangles, rig.skin.weights, states, rest, deformed);
  result.twists = joint_twists(rig.skeleton, states, sections);
  const std::vector<bool> twisted = twisted_bones(rig.skeleton, states);
  for (std::size_t b = 0; b < sections.size(); ++b) {
    if (!twisted[b] || sections[b].empty()) continue;
    const auto thinnest =
        std::min_element(sections[b].begin(), sections[b].end(),
                         [](const Section& a, const Section& c) { return a.radius < c.radius; });
    result.radii.push_back({static_cast<int>(b), thinnest->radius, thinnest->t});
  }
  return result;
}

std::optional<double> smallest_radius(const Measures& measures) {
  std::optional<double> smallest;
  for (const BoneRadius& radius : measures.radii) {
    smallest = std::min(smallest.value_or(radius.smallest), radius.smallest);
  }
  return smallest;
}

std::optional<double> largest_cap_error(const Measures& measures) {
  std::optional<double> largest;
  for (const CapError& cap : measures.caps) {
    largest = std::max(largest.value_or(cap.rms), cap.rms);
  }
  return largest;
}

std::optional<double> largest_missed_end(const Measures& measures) {
  std::optional<double> largest;
  for (const CapError& cap : measures.caps) {
    largest = std::max(largest.value_or(cap.missed), cap.missed);
  }
  return largest;
}

std::optional<PartError> least_rigid_end(const Measures& measures) {
  std::optional<PartError> worst;
  for (const PartError& part : measures.parts) {
    if (part.role == BoneRole::end_part && (!worst || part.rms > worst->rms)) worst = part;
  }
  return worst;
}

std::optional<PartError> most_turned_part(const Measures& measures) {
  std::optional<PartError> worst;
  for (const PartError& part : measures.parts) {
    if (!worst || part.turn > worst->turn) worst = part;
  }
  return worst;
}

}  // namespace sinew
