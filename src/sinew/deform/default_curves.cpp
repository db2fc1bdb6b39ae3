// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/default_curves.h"

#include "sinew/deform/bone_tree.h"

namespace sinew {

bool bones_meet(const Bone& bone, const Bone& next) {
  return distance(bone.tail, next.head) <= 1e-6 * distance(bone.head, bone.tail);
}

std::optional<std::size_t> first_stray(const Skeleton& skeleton, const InfluenceCurve& curve) {
  const std::vector<BoneIndex> parents = parent_bones(skeleton);
  BoneIndex before = curve.lead_in;
  for (std::size_t i = 0; i < curve.bones.size(); ++i) {
    const BoneIndex bone = curve.bones[i];
    if (before != no_bone && parents[bone] != before &&
        !bones_meet(skeleton.bones[before], skeleton.bones[bone])) {
      return i;
    }
    before = bone;
  }
  return std::nullopt;
}

std::vector<InfluenceCurve> default_curves(const Skeleton& skeleton) {
  const std::vector<BoneIndex> parents = parent_bones(skeleton);
  std::vector<int> child_count(parents.size(), 0);
  for (const int parent : parents) {
    if (parent >= 0) ++child_count[parent];
  }
  std::vector<BoneIndex> next(parents.size());
  std::vector<bool> starts(parents.size(), true);
  for (std::size_t b = 0; b < parents.size(); ++b) {
    if (parents[b] < 0) continue;
    const std::size_t p = parents[b];
    if (child_count[p] > 1 || !bones_meet(skeleton.bones[p], skeleton.bones[b])) continue;
    next[p] = b;
    starts[b] = false;
  }
  std::vector<InfluenceCurve> curves;
  for (std::size_t b = 0; b < parents.size(); ++b) {
    if (!starts[b]) continue;
    InfluenceCurve curve;
    curve.lead_in = parents[b];
    for (BoneIndex c = b; c >= 0; c = next[c]) {
      curve.bones.push_back(c);
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace sinew
