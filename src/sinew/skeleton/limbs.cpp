// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/limbs.h"

namespace sinew {

Limbs find_limbs(const Skeleton& skeleton) {
  const std::vector<int> order = evaluation_order(skeleton);
  std::vector<std::vector<std::size_t>> at_joint(skeleton.joints.size());
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    at_joint[static_cast<std::size_t>(skeleton.bones[b].joint)].push_back(b);
  }
  // The nearest joint with bones: the joint itself, or one above it, or no_joint.
  std::vector<int> bearing(skeleton.joints.size(), no_joint);
  std::vector<int> above(skeleton.joints.size(), no_joint);
  std::vector<std::size_t> children(skeleton.joints.size(), 0);  // bones whose parents are there
  for (const int j : order) {
    const auto joint = static_cast<std::size_t>(j);
    const int parent = skeleton.joints[joint].parent;
    if (parent != no_joint) above[joint] = bearing[static_cast<std::size_t>(parent)];
    bearing[joint] = at_joint[joint].empty() ? above[joint] : j;
    if (above[joint] != no_joint) {
      children[static_cast<std::size_t>(above[joint])] += at_joint[joint].size();
    }
  }

  Limbs limbs;
  limbs.of_bone.assign(skeleton.bones.size(), -1);
  std::vector<std::pair<int, int>> adjacent;
  for (const int j : order) {
    const auto joint = static_cast<std::size_t>(j);
    if (at_joint[joint].empty()) continue;
    const int parent = above[joint];
    const bool continues = parent != no_joint && children[static_cast<std::size_t>(parent)] == 1 &&
                           at_joint[static_cast<std::size_t>(parent)].size() == 1;
    for (const std::size_t b : at_joint[joint]) {
      if (continues) {
        limbs.of_bone[b] = limbs.of_bone[at_joint[static_cast<std::size_t>(parent)].front()];
        continue;
      }
      limbs.of_bone[b] = limbs.count++;
      const std::size_t neighbors = parent == no_joint ? joint : static_cast<std::size_t>(parent);
      for (const std::size_t other : at_joint[neighbors]) {
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
