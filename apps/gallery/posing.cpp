// SPDX-License-Identifier: Apache-2.0
#include "posing.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/kernels/deformer.h"
#include "sinew/skin/weights.h"
#include "sinew/weights/compute_weights.h"

namespace sinew::gallery {

Skeleton make_skeleton(std::span<const BonePlan> bones) {
  Skeleton skeleton;
  for (const BonePlan& plan : bones) {
    Joint joint;
    joint.name = plan.name;
    joint.rest.translation = plan.head;
    if (!plan.parent.empty()) {
      joint.parent = find_joint(skeleton, plan.parent);
      const Bone& above = skeleton.bones[bone_number(skeleton, plan.parent)];
      joint.rest.translation = plan.head - above.head;
    }
    Bone bone;
    bone.joint = static_cast<int>(skeleton.joints.size());
    bone.head = plan.head;
    bone.tail = plan.tail;
    bone.inverse_bind.translation = -plan.head;
    skeleton.joints.push_back(std::move(joint));
    skeleton.bones.push_back(bone);
  }
  const double near = 1e-9;
  for (Bone& bone : skeleton.bones) {
    for (const Bone& next : skeleton.bones) {
      const bool is_child = skeleton.joints[next.joint].parent == bone.joint;
      if (is_child && distance(next.head, bone.tail) < near * distance(bone.head, bone.tail)) {
        bone.tail_joint = next.joint;
        break;
      }
    }
  }
  validate(skeleton);
  return skeleton;
}

int bone_number(const Skeleton& skeleton, std::string_view name) {
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    if (skeleton.joints[skeleton.bones[b].joint].name == name) {
      return static_cast<int>(b);
    }
  }
  throw UsageError("the skeleton has no bone named " + std::string(name));
}

std::vector<BoneState> pose_bones(const Skeleton& skeleton, std::span<const BoneMotion> motions) {
  const std::size_t count = skeleton.bones.size();
  std::vector<BoneMotion> of_bone(count);
  for (const BoneMotion& motion : motions) {
    of_bone[bone_number(skeleton, motion.bone)] = motion;
  }
  const BoneTree tree = bone_tree(skeleton);
  std::vector<BonePose> poses(count);
  std::vector<Quat> at_end(count);  // how what hangs on the bone's end is turned
  for (const int number : tree.order) {
    const std::size_t b = number;
    const Bone& bone = skeleton.bones[b];
    const BoneMotion& motion = of_bone[b];
    BonePose& pose = poses[b];
    const Vec3 axis = normalized(bone.tail - bone.head);
    const Quat own = motion.bend * rotation_about(axis, radians(motion.twist));
    double share = 0;
    if (tree.parents[b] < 0) {
      pose.start = bone.head;
      pose.rotation = own;
    } else {
      const std::size_t p = tree.parents[b];
      const Bone& above = skeleton.bones[p];
      const Vec3 along = normalized(above.tail - above.head);
      const Vec3 offset = bone.head - above.head;
      const double t = dot(offset, along) / distance(above.head, above.tail);
      const double gained =
          std::clamp(t, 0.0, 1.0) * distance(above.head, above.tail) * (of_bone[p].stretch - 1);
      pose.start = poses[p].start + rotate(at_end[p], offset + along * gained);
      pose.rotation = at_end[p] * own;
      if (above.tail_joint == bone.joint) share = motion.share;
      poses[p].twist_end += radians(share * motion.twist);
    }
    pose.end = pose.start + rotate(*pose.rotation, (bone.tail - bone.head) * motion.stretch);
    pose.twist_start = -radians((1 - share) * motion.twist);
    pose.twist_end += radians(motion.end_twist);
    at_end[b] = *pose.rotation * rotation_about(axis, radians(motion.end_twist));
  }
  std::vector<BoneState> states = bone_states(skeleton, poses);
  // Beyond half a turn the rotations alone do not say how far.
  for (std::size_t b = 0; b < count; ++b) {
    const int parent = tree.parents[b];
    const double above = parent < 0 ? 0 : of_bone[parent].end_twist;
    states[b].own_twist = radians(of_bone[b].twist + above);
    // Dual quaternions get the scale as well, so that all methods have their joints at one place.
    states[b].scale_shear = to_matrix(conjugate(states[b].turn)) * states[b].matrix.linear;
  }
  return states;
}

void weigh_automatically(Rig& rig, std::size_t nodes, const Progress& progress) {
  BbwOptions options;
  options.lattice_nodes = nodes;
  ComputedWeights computed =
      compute_weights(rig.mesh, rig.skeleton, options, BbwEndpointOptions{}, {}, progress);
  rig.skin.weights = std::move(computed.skin.weights);
  rig.skin.endpoints = std::move(computed.skin.endpoints);
  rig.skin.twist_endpoints.clear();
}

std::vector<Vec3> led_by(const Rig& rig, std::span<const Vec3> positions,
                         std::initializer_list<std::string_view> bones) {
  std::vector<bool> wanted(rig.skeleton.bones.size(), false);
  for (const std::string_view name : bones) {
    wanted[bone_number(rig.skeleton, name)] = true;
  }
  std::vector<Vec3> found;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const int main = dominant_bone(rig.skin.weights.row(v));
    if (main >= 0 && wanted[main]) found.push_back(positions[v]);
  }
  return found;
}

std::vector<Vec3> deformed(const Rig& rig, std::span<const BoneState> states, Method method) {
  Deformer deformer(rig, std::move(method));
  Deformed result = deformer.at(states, rest_pose(rig).shapes);
  require_finite(result);
  return std::move(result.positions);
}

std::vector<Vec3> deformed(const Rig& rig, std::span<const BoneState> states,
                           std::string_view method) {
  return deformed(rig, states, method_from_name(method, rig));
}

}  // namespace sinew::gallery
