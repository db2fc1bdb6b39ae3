// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/helpers.h"

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

std::string free_name(std::set<std::string>& taken, const std::string& wanted) {
  std::string name = wanted;
  for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", wanted, i);
  return name;
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
      joint.name = free_name(taken, wanted);
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

Transform helper_local(const Skeleton& baked, const Bone& helper, int joint, const Affine& frame,
                       const Affine& motion) {
  const Joint& own = baked.joints[static_cast<std::size_t>(helper.joint)];
  const Joint& parent = baked.joints[static_cast<std::size_t>(own.parent)];
  const Affine above = own.parent == joint ? frame : frame * to_affine(parent.rest);
  Transform local = to_transform(inverse(above) * motion * inverse(helper.inverse_bind));
  local.scale = own.rest.scale;
  return local;
}

}  // namespace sinew::baking
