// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/reference/skinning.h"

#include <algorithm>

#include "sinew/core/dual_quat.h"

namespace sinew::reference {
namespace {

// K_i(t): the turn about u_i by (1 - t) theta_a + t theta_b. From the half angle, so that it is
// continuous along the bone beyond half a turn.
Quat twist_rotation(const BoneState& bone, double t) {
  if (bone.twist_head == 0 && bone.twist_tail == 0) return {};
  const Vec3 u = normalized(bone.tail - bone.head);
  return rotation_about(u, (1 - t) * bone.twist_head + t * bone.twist_tail);
}

// A bone's motion of a point: the rigid part, and the non-rigid part applied before it, about the
// head.
struct Motion {
  Quat rotation;
  Vec3 translation;
  Mat3 before;
};

Motion motion_of(const BoneState& bone, const SkinInfluence& influence, BoneMap map) {
  if (map == BoneMap::stbs) {
    // Jacobson and Sorkine 2011, eq. 6: rotation R K(e), translation a' + R e s - R K(e) a.
    const Quat rotation = bone.rotation * twist_rotation(bone, influence.twist_endpoint);
    const Vec3 stretched = rotate(bone.rotation, influence.stretch_endpoint * stretch_vector(bone));
    return {rotation, bone.posed_head + stretched - rotate(rotation, bone.head), bone.across};
  }
  const Vec3 head = transform_point(bone.matrix, bone.head);
  const Mat3 before = map == BoneMap::matrix ? bone.scale_shear : Mat3{};
  return {bone.turn, head - rotate(bone.turn, bone.head), before};
}

}  // namespace

Vec3 linear_blend(const SkinPoint& point, std::span<const BoneState> bones, BoneMap map) {
  if (point.row.empty()) return point.position;
  Vec3 result;
  for (const SkinInfluence& influence : point.row) {
    const BoneState& bone = bones[influence.bone];
    if (map == BoneMap::matrix) {
      result += influence.weight * transform_point(bone.matrix, point.position);
    } else {
      const Motion motion = motion_of(bone, influence, map);
      const Vec3 p = motion.before * (point.position - bone.head) + bone.head;
      result += influence.weight * (rotate(motion.rotation, p) + motion.translation);
    }
  }
  return result;
}

Vec3 dual_quaternion_blend(const SkinPoint& point, std::span<const BoneState> bones, BoneMap map) {
  if (point.row.empty()) return point.position;
  const auto heaviest = std::max_element(
      point.row.begin(), point.row.end(),
      [](const SkinInfluence& a, const SkinInfluence& b) { return a.weight < b.weight; });
  const Quat pivot = motion_of(bones[heaviest->bone], *heaviest, map).rotation;
  Vec3 p;
  DualQuat blended{{0, 0, 0, 0}, {0, 0, 0, 0}};
  for (const SkinInfluence& influence : point.row) {
    const BoneState& bone = bones[influence.bone];
    const Motion motion = motion_of(bone, influence, map);
    p += influence.weight * (motion.before * (point.position - bone.head) + bone.head);
    const double sign = is_opposite(motion.rotation, pivot) ? -1 : 1;
    blended =
        blended + rigid_motion(motion.rotation, motion.translation) * (sign * influence.weight);
  }
  return transform_point(normalized(blended), p);
}

}  // namespace sinew::reference
