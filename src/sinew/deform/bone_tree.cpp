// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/bone_tree.h"

#include <algorithm>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

bool is_frame(const Skeleton& skeleton, int joint) { return skeleton.joints[joint].is_frame; }

// The bones of each joint, without frames: these carry rigid meshes and have no child bones.
std::vector<std::vector<BoneIndex>> bones_by_joint(const Skeleton& skeleton) {
  std::vector<std::vector<BoneIndex>> bones(skeleton.joints.size());
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const int joint = skeleton.bones[b].joint;
    if (!is_frame(skeleton, joint)) {
      bones[joint].push_back(static_cast<int>(b));
    }
  }
  return bones;
}

bool is_at_tail(const Bone& bone, const Vec3& point) {
  return distance(point, bone.tail) <= 1e-6 * distance(bone.head, bone.tail);
}

}  // namespace

std::vector<BoneIndex> parent_bones(const Skeleton& skeleton) {
  require_joints_of_bones(skeleton);
  const auto bones_of = bones_by_joint(skeleton);
  std::vector<BoneIndex> parents(skeleton.bones.size());
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Bone& bone = skeleton.bones[b];
    if (is_frame(skeleton, bone.joint)) continue;
    JointIndex joint = skeleton.joints[bone.joint].parent;
    while (joint != no_joint && bones_of[joint].empty()) {
      joint = skeleton.joints[joint].parent;
    }
    if (joint == no_joint) continue;
    // A joint may have several bones, from a list of segments or from several skins that may be
    // bound at different places. Prefer one that points here, then the nearest.
    const auto key = [&](BoneIndex p) {
      const Bone& above = skeleton.bones[p];
      return std::pair(above.tail_joint != bone.joint, distance(above.tail, bone.head));
    };
    const std::vector<BoneIndex>& above = bones_of[joint];
    parents[b] = *std::min_element(above.begin(), above.end(),
                                   [&](BoneIndex p, BoneIndex q) { return key(p) < key(q); });
  }
  return parents;
}

BoneTree bone_tree(const Skeleton& skeleton) {
  BoneTree tree{parent_bones(skeleton), {}};
  std::vector<bool> listed(tree.parents.size(), false);
  std::vector<BoneIndex> chain;
  for (std::size_t b = 0; b < tree.parents.size(); ++b) {
    for (BoneIndex p = b; p >= 0 && !listed[p]; p = tree.parents[p]) {
      listed[p] = true;
      chain.push_back(p);
    }
    tree.order.insert(tree.order.end(), chain.rbegin(), chain.rend());
    chain.clear();
  }
  return tree;
}

std::vector<BoneIndex> tail_carriers(const Skeleton& skeleton) {
  require_joints_of_bones(skeleton);
  const auto bones_of = bones_by_joint(skeleton);
  std::vector<BoneIndex> carriers;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Bone& bone = skeleton.bones[b];
    carriers.push_back(b);
    if (bone.tail_joint == no_joint || is_frame(skeleton, bone.joint)) continue;
    for (const int next : bones_of[bone.tail_joint]) {
      if (!is_at_tail(bone, skeleton.bones[next].head)) continue;
      carriers.back() = next;
      break;
    }
  }
  return carriers;
}

JointIndex end_frame(const Skeleton& skeleton, const Bone& bone) {
  const JointIndex end = bone.tail_joint;
  if (end == no_joint || is_frame(skeleton, bone.joint) || !is_frame(skeleton, end) ||
      skeleton.joints[end].parent != bone.joint) {
    return no_joint;
  }
  const Vec3 place = inverse(end_inverse_bind(skeleton, bone, end)).translation;
  return is_at_tail(bone, place) ? end : no_joint;
}

Affine end_inverse_bind(const Skeleton& skeleton, const Bone& bone, JointIndex end) {
  if (!has_joint(skeleton, end)) {
    throw UsageError(formatted("there is no joint {}; there are {}", end, skeleton.joints.size()));
  }
  const Transform& rest = skeleton.joints[end].rest;
  return inverse(to_affine(rest)) * bone.inverse_bind;
}

}  // namespace sinew
