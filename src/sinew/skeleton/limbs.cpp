// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/limbs.h"

#include <utility>

#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

constexpr double longest_helper = 0.25;

// The joints that have bones, as a tree.
struct BoneTree {
  std::vector<JointIndex> order;
  std::vector<std::vector<std::size_t>> at_joint;  // the bones of each joint
  std::vector<JointIndex> above;  // the nearest joint above that has bones, or no_joint

  explicit BoneTree(const Skeleton& skeleton)
      : order(evaluation_order(skeleton)),
        at_joint(skeleton.joints.size()),
        above(skeleton.joints.size(), no_joint) {
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
      at_joint[skeleton.bones[b].joint].push_back(b);
    }
    for (const int j : order) {
      const std::size_t joint = j;
      const JointIndex parent = skeleton.joints[joint].parent;
      if (parent == no_joint) continue;
      const std::size_t p = parent;
      above[joint] = at_joint[p].empty() ? above[p] : parent;
    }
  }

  // The number of child bones per joint, without those of the excluded joints.
  std::vector<std::size_t> count_children(const std::vector<bool>& left_out) const {
    std::vector<std::size_t> children(above.size(), 0);
    for (std::size_t j = 0; j < above.size(); ++j) {
      if (above[j] == no_joint || left_out[j]) continue;
      children[above[j]] += at_joint[j].size();
    }
    return children;
  }
};

std::vector<bool> find_helpers(const Skeleton& skeleton, const BoneTree& tree) {
  std::vector<bool> helpers(skeleton.joints.size(), false);
  const std::vector<std::size_t> children = tree.count_children(helpers);
  for (std::size_t j = 0; j < helpers.size(); ++j) {
    if (tree.above[j] == no_joint || tree.at_joint[j].size() != 1 || children[j] > 0) continue;
    const auto& parents = tree.at_joint[tree.above[j]];
    if (parents.size() != 1) continue;
    const Bone& parent = skeleton.bones[parents.front()];
    const Bone& bone = skeleton.bones[tree.at_joint[j].front()];
    helpers[j] =
        parent.tail_joint != static_cast<int>(j) &&
        distance(bone.head, bone.tail) < longest_helper * distance(parent.head, parent.tail);
  }
  return helpers;
}

}  // namespace

Limbs find_limbs(const Skeleton& skeleton) {
  require_joints_of_bones(skeleton);
  const BoneTree tree(skeleton);
  const std::vector<bool> helpers = find_helpers(skeleton, tree);
  const std::vector<std::size_t> children = tree.count_children(helpers);

  Limbs limbs;
  limbs.of_bone.assign(skeleton.bones.size(), -1);
  std::vector<std::pair<int, int>> adjacent;
  for (const int j : tree.order) {
    const std::size_t joint = j;
    const int parent = tree.above[joint];
    const std::size_t from = parent == no_joint ? joint : static_cast<std::size_t>(parent);
    const bool continues = helpers[joint] || (parent != no_joint && children[from] == 1 &&
                                              tree.at_joint[from].size() == 1);
    for (const std::size_t b : tree.at_joint[joint]) {
      if (continues) {
        limbs.of_bone[b] = limbs.of_bone[tree.at_joint[from].front()];
        continue;
      }
      limbs.of_bone[b] = limbs.count++;
      for (const std::size_t other : tree.at_joint[from]) {
        if (limbs.of_bone[other] != -1) {
          adjacent.emplace_back(limbs.of_bone[b], limbs.of_bone[other]);
        }
      }
    }
  }
  limbs.touches_.assign(
      static_cast<std::size_t>(limbs.count) * static_cast<std::size_t>(limbs.count), false);
  for (int limb = 0; limb < limbs.count; ++limb) limbs.touches_[limbs.index(limb, limb)] = true;
  for (const auto& [a, b] : adjacent) {
    limbs.touches_[limbs.index(a, b)] = true;
    limbs.touches_[limbs.index(b, a)] = true;
  }
  return limbs;
}

}  // namespace sinew
