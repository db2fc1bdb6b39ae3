// SPDX-License-Identifier: Apache-2.0
// Who takes the twist of a joint: the bone before it, its own bone, both or nobody.
#pragma once

#include <vector>

#include "sinew/rig/rig.h"

namespace sinew {

// What a bone is to its skin. Twist may be spread along tubes alone.
enum class BoneRole {
  tube,      // a forearm, a neck, a piece of a spine or a tail
  end_part,  // a hand, a foot, a head: moves as one piece
  trunk,     // hips, chest: where limbs meet
  rigid,     // not joined to the bone it hangs on: a part of a machine
  helper,    // a kneecap, a bulging muscle, a bone that spreads a twist by itself
  other,     // too short for its width, or of no use to skin
};

// What each bone is, and who takes the twist at its joint.
struct TwistPlan {
  std::vector<BoneRole> roles;      // per bone
  std::vector<TwistShares> shares;  // per bone: of its joint
  // Per bone: the skin below its head is joined to the rest, by vertices that both move or by
  // triangles between them. Where hardly any vertex has two bones (less than 1%) the rig is a
  // machine and nothing is joined. Parts that are not joined do not pull at each other. True where
  // a side has no skin.
  std::vector<bool> is_joined;
};

// What the rig says of its joints (Joint::twist_shares), and for all other joints this rule.
//
// A tube is longer than its radius (with the bones in line with it), ends at exactly one other
// bone, and moves skin; it is no end part, no trunk and no helper. Leaves are end parts, as are
// bones that carry a fan of others (a hand) or whose branch is short beside the bone they hang on
// (a foot with its toes). Names that say what a part is are taken as hints; see body_part().
//
// At a joint whose skin is joined:
// - only the bone before it is a tube (wrist, ankle, head on neck): it takes all;
// - only the joint's own bone is (shoulder, hip, neck on chest), or the bone before points
//   elsewhere: its own takes all;
// - both are: half each along three or more alike in line (spine, tail, finger), otherwise
//   (elbow, knee, upper arm on collar bone) its own takes all.
// Elsewhere nobody does, and the method blends what it can. A rig without weights is judged by its
// skeleton alone. Throws UsageError where there are weights of another number of vertices, or of
// bones that are not there.
TwistPlan plan_twists(const Rig& rig);

}  // namespace sinew
