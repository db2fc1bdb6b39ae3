// SPDX-License-Identifier: Apache-2.0
// How a bone's state depends on other bones; computed once per rig.
#pragma once

#include <vector>

#include "sinew/rig/rig.h"

namespace sinew {

// How one bone hangs together with others.
struct BoneLinks {
  BoneIndex parent = no_bone;  // see parent_bones; -1: a root
  double own_share = 0;        // of its twist relative to the parent: theta_a = -own_share * twist
  BoneIndex next = no_bone;    // the bone whose twist relative to this one is taken up; -1: none
  double next_share = 0;       // of that twist: theta_b = next_share * twist
  // The bone that moves this bone's tail; this bone itself if there is none, or if the skins of the
  // two are not joined: parts of a machine slide along each other instead of stretching.
  BoneIndex tail_carrier = no_bone;
  // The joint without a bone that moves and twists the tail (see end_frame), if any. Its twist is
  // taken up in full (next_share is 1), as no bone follows that could share it.
  JointIndex end = no_joint;
};

// Twist is distributed as plan_twists() decides.
std::vector<BoneLinks> bone_links(const Rig& rig);

}  // namespace sinew
