// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/bone_links.h"

#include "sinew/deform/bone_tree.h"
#include "sinew/deform/twist_shares.h"

namespace sinew {

std::vector<BoneLinks> bone_links(const Rig& rig) {
  const Skeleton& skeleton = rig.skeleton;
  const std::vector<BoneIndex> parents = parent_bones(skeleton), carriers = tail_carriers(skeleton);
  const TwistPlan twists = plan_twists(rig);
  std::vector<BoneLinks> links(skeleton.bones.size());
  for (std::size_t b = 0; b < links.size(); ++b) {
    links[b].parent = parents[b];
    const bool is_carried = twists.is_joined[carriers[b]];
    links[b].tail_carrier = is_carried ? carriers[b] : BoneIndex(b);
    links[b].end = end_frame(skeleton, skeleton.bones[b]);
    if (links[b].end != no_joint) links[b].next_share = 1;
    if (parents[b] < 0) continue;
    links[b].own_share = twists.shares[b].own;
    const std::size_t p = parents[b];
    if (skeleton.bones[p].tail_joint != skeleton.bones[b].joint) continue;
    links[p].next = b;
    links[p].next_share = twists.shares[b].parent;
  }
  return links;
}

}  // namespace sinew
