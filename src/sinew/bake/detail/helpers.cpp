// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/helpers.h"

#include <cmath>

#include <fmt/format.h>

#include "sinew/core/math.h"

namespace sinew::baking {

Affine motion_at(const BoneState& state, const SplitBone& split, std::size_t node) {
  const double twist = split.twist_share[node], stretch = split.stretch_share[node];
  const Vec3 u = normalized(state.tail - state.head);
  const double angle = (1 - twist) * state.twist_head + twist * state.twist_tail;
  Mat3 linear = to_matrix(state.rotation * rotation_about(u, angle));
  if (split.scale_axes) {
    const Mat3& axes = *split.scale_axes;
    const auto along = [&](const Vec3& axis) { return dot(axis, state.across * axis); };
    linear = linear * axes * diagonal(Vec3{1, along(axes.y), along(axes.z)}) * transpose(axes);
  }
  const Vec3 head = state.posed_head + rotate(state.rotation, stretch * stretch_vector(state));
  return {linear, head - linear * state.head};
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
    const Bone bone = skeleton.bones[split.bone];
    const std::string name = skeleton.joints[bone.joint].name;
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
      const Mat3& bind = bone.inverse_bind.linear;
      helper.inverse_bind.linear =
          split.scale_axes ? transpose(*split.scale_axes) * math::cbrt(std::fabs(determinant(bind)))
                           : bind;
      helper.inverse_bind.translation = -(helper.inverse_bind.linear * helper.head);
      joint.rest.translation = transform_point(bone.inverse_bind, helper.head);
      if (split.scale_axes) {
        joint.rest.rotation =
            to_transform(bone.inverse_bind * inverse(helper.inverse_bind)).rotation;
      }
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
    const BoneState& state = states[split.bone];
    for (std::size_t k = 0; k < split.twist_share.size(); ++k) {
      palette.push_back(motion_at(state, split, k));
    }
  }
  return palette;
}

Transform helper_local(const Skeleton& baked, const Bone& helper, int joint, const Affine& frame,
                       const Affine& motion, bool carries_scale) {
  const Joint& own = baked.joints[helper.joint];
  const Joint& parent = baked.joints[own.parent];
  const Affine above = own.parent == joint ? frame : frame * to_affine(parent.rest);
  Transform local = to_transform(inverse(above) * motion * inverse(helper.inverse_bind));
  if (!carries_scale) local.scale = own.rest.scale;
  return local;
}

}  // namespace sinew::baking
