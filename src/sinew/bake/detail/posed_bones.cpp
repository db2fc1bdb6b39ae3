// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/posed_bones.h"

#include "sinew/core/math.h"

namespace sinew::baking {

PosedBones::PosedBones(std::span<const BoneState> states) {
  bones_.reserve(states.size());
  for (const BoneState& state : states) {
    const auto turned = [&](const auto& map) {
      const Mat3& m = state.across;
      return Mat3{rotate(state.rotation, map(m.x)), rotate(state.rotation, map(m.y)),
                  rotate(state.rotation, map(m.z))};
    };
    PosedBone bone;
    bone.head = state.head;
    bone.place = state.posed_head;
    bone.stretch = rotate(state.rotation, stretch_vector(state));
    bone.turned = turned([](const Vec3& v) { return v; });
    bone.is_twisted = state.twist_head != 0 || state.twist_tail != 0;
    if (bone.is_twisted) {
      const Vec3 u = normalized(state.tail - state.head);
      bone.twist_head = state.twist_head;
      bone.twist_tail = state.twist_tail;
      bone.along = turned([&](const Vec3& v) { return u * dot(u, v); });
      bone.around = bone.turned - bone.along;
      bone.aside = turned([&](const Vec3& v) { return cross(u, v); });
    }
    bones_.push_back(bone);
  }
}

Vec3 PosedBones::blend(const Vec3& rest, std::span<const SkinInfluence> row) const {
  if (row.empty()) return rest;
  Vec3 result;
  for (const SkinInfluence& influence : row) {
    const PosedBone& bone = bones_[influence.bone];
    const Vec3 d = rest - bone.head;
    Vec3 p = bone.place + influence.stretch_endpoint * bone.stretch;
    if (bone.is_twisted) {
      const double t = influence.twist_endpoint;
      const auto [sine, cosine] =
          math::sine_cosine((1 - t) * bone.twist_head + t * bone.twist_tail);
      p += bone.along * d + (bone.around * d) * cosine + (bone.aside * d) * sine;
    } else {
      p += bone.turned * d;
    }
    result += influence.weight * p;
  }
  return result;
}

}  // namespace sinew::baking
