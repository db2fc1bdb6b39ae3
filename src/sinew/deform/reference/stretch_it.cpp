// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/reference/stretch_it.h"

namespace sinew::reference {
namespace {

// The vertex transformed by bone i alone, with the blended twist: M_i Rx(delta_i) B_i^-1 v.
Vec3 placed_by(const BoneState& bone, const Vec3& position, double delta) {
  const Vec3 u = normalized(bone.tail - bone.head);
  const Vec3 turned = bone.head + rotate(rotation_about(u, delta), position - bone.head);
  return transform_point(bone.matrix, turned);
}

}  // namespace

Vec3 stretch_it(const SkinPoint& point, std::span<const BoneState> bones,
                std::span<const double> twists, std::span<const BoneIndex> collapsing) {
  if (point.row.empty()) return point.position;
  double twist = 0;  // alpha', eq. 8
  for (const SkinInfluence& influence : point.row) {
    twist += influence.weight * twists[influence.bone];
  }
  const auto placed = [&](const SkinInfluence& influence) {
    const std::size_t b = influence.bone;
    return placed_by(bones[b], point.position, twist - twists[b]);
  };
  Vec3 result;  // eq. 10
  for (const SkinInfluence& influence : point.row) result += influence.weight * placed(influence);

  for (const int joint : collapsing) {
    double weight = 0;  // w_J
    for (const SkinInfluence& influence : point.row) {
      if (influence.bone == joint) weight = influence.weight;
    }
    const double beta = 1 - 4 * (weight - 0.5) * (weight - 0.5);  // eq. 6
    if (!(beta > 0)) continue;
    const Vec3 center = transform_point(bones[joint].matrix, bones[joint].head);
    double mean = 0;  // l_1
    for (const SkinInfluence& influence : point.row) {
      mean += influence.weight * distance(placed(influence), center);
    }
    const double now = distance(result, center);  // l_2
    if (!(now > 0)) continue;
    result = center + (result - center) * ((beta * mean + (1 - beta) * now) / now);  // eq. 5
  }
  return result;
}

}  // namespace sinew::reference
