// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/helpers.h"

#include <set>
#include <string>

#include <fmt/format.h>

namespace sinew::baking {

Affine motion_at(const BoneState& state, double twist_share, double stretch_share) {
  const Vec3 u = normalized(state.tail - state.head);
  const double angle = (1 - twist_share) * state.twist_head + twist_share * state.twist_tail;
  const Mat3 turn = to_matrix(state.rotation * rotation_about(u, angle));
  const Vec3 head =
      state.posed_head + rotate(state.rotation, stretch_share * stretch_vector(state));
  return {turn, head - turn * state.head};
}

Affine rigid_motion(const BoneState& state) {
  const Mat3 turn = to_matrix(state.turn);
  return {turn, state.posed_head - turn * state.head};
}

void add_helpers(Skeleton& skeleton, std::span<const SplitBone> splits) {
  std::set<std::string> taken;
  for (const Joint& joint : skeleton.joints) taken.insert(joint.name);
  for (const SplitBone& split : splits) {
    const Bone bone = skeleton.bones[static_cast<std::size_t>(split.bone)];
    const std::string name = skeleton.joints[static_cast<std::size_t>(bone.joint)].name;
    const Vec3 along = bone.tail - bone.head;
    for (int k = 0; k <= split.segments(); ++k) {
      const std::string wanted =
          fmt::format("{}_twist{}", name.empty() ? fmt::format("bone{}", split.bone) : name, k);
      Joint joint;
      joint.name = wanted;
      for (int i = 2; !taken.insert(joint.name).second; ++i) {
        joint.name = fmt::format("{}_{}", wanted, i);
      }
      Bone helper;
      helper.joint = static_cast<int>(skeleton.joints.size());
      helper.head = bone.head + along * (double(k) / split.segments());
      helper.tail = helper.head + along * (1.0 / split.segments());
      joint.parent = bone.joint;
      joint.rest.translation = transform_point(bone.inverse_bind, helper.head);
      helper.inverse_bind = {bone.inverse_bind.linear,
                             bone.inverse_bind.translation - joint.rest.translation};
      skeleton.joints.push_back(std::move(joint));
      skeleton.bones.push_back(helper);
    }
  }
}

std::vector<Affine> helper_palette(std::span<const BoneState> states,
                                   std::span<const SplitBone> splits) {
  std::vector<Affine> palette;
  for (const BoneState& state : states) palette.push_back(state.matrix);
  for (const SplitBone& split : splits) {
    const BoneState& state = states[static_cast<std::size_t>(split.bone)];
    for (std::size_t k = 0; k < split.twist_share.size(); ++k) {
      palette.push_back(motion_at(state, split.twist_share[k], split.stretch_share[k]));
    }
  }
  return palette;
}

Transform helper_local(const Skeleton& baked, const Bone& helper, const Affine& frame,
                       const Affine& motion) {
  Transform local = to_transform(inverse(frame) * motion * inverse(helper.inverse_bind));
  local.scale = baked.joints[static_cast<std::size_t>(helper.joint)].rest.scale;
  return local;
}

}  // namespace sinew::baking
