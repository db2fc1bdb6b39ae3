// SPDX-License-Identifier: Apache-2.0
// Decides which bones spread the twist of a joint: the bone before it, its own bone, both or
// neither.
#pragma once

#include <vector>

#include "sinew/rig/rig.h"

namespace sinew {

// The role of a bone in its skin. Only tubes spread twist.
enum class BoneRole {
  tube,      // a forearm, a neck, a piece of a spine or a tail
  end_part,  // a hand, a foot, a head: moves as one piece
  trunk,     // hips, chest: where limbs meet
  rigid,     // its skin is not joined to its parent's: a part of a machine
  helper,    // a kneecap, a bulging muscle, a twist bone
  other,     // too short for its width, or without skin
};

// What each bone is, and who takes the twist at its joint.
struct TwistPlan {
  std::vector<BoneRole> roles;      // per bone
  std::vector<TwistShares> shares;  // per bone, for its joint
  // Per bone: whether the skin of its subtree is joined to the rest, by shared vertices or by
  // triangles between them. If less than 1% of the vertices have two bones, the rig is a machine
  // and nothing is joined. Parts that are not joined do not stretch each other. True if either side
  // has no skin.
  std::vector<bool> is_joined;
};

// Uses Joint::twist_shares where the rig sets them. For all other joints this rule holds:
//
// A tube is longer than its radius (together with the bones in line with it), has exactly one bone
// at its tail, and moves skin; it is not an end part, trunk or helper. End parts are leaves, bones
// with a fan of children (a hand), and bones whose subtree is short compared with the parent bone
// (a foot with its toes). Joint names serve as hints; see body_part().
//
// At a joint where skin is joined:
// - if only the bone before it is a tube (wrist, ankle, head on neck), that bone takes all;
// - if only the joint's own bone is a tube (shoulder, hip, neck on chest), or the bone before it
//   points elsewhere, its own bone takes all;
// - if both are tubes, each takes half in a row of three or more similar bones (spine, tail,
//   finger); otherwise (elbow, knee, upper arm on collar bone) its own bone takes all.
// Elsewhere no bone spreads the twist, and the method's blending alone deals with it. A rig without
// weights is judged by its skeleton only. Throws UsageError if the weights do not fit the number of
// vertices or name bones that do not exist.
TwistPlan plan_twists(const Rig& rig);

}  // namespace sinew
