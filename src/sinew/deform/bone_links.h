// SPDX-License-Identifier: Apache-2.0
// What a bone's state in a pose takes from other bones: computed once for a rig.
#pragma once

#include <vector>

#include "sinew/rig/rig.h"

namespace sinew {

// Of one bone. Bones by number.
struct BoneLinks {
  int parent = -1;       // parent_bones
  double own_share = 0;  // of its twist against the parent, taken off: theta_a = -own_share * twist
  int next = -1;         // the bone whose twist against this one is taken over; -1: none
  double next_share = 0;  // of that: theta_b = next_share * twist
  // The bone that carries this one's tail; this one itself if there is none, or if the skins of the
  // two are not joined: parts of machines slide along each other instead of stretching.
  int tail_carrier = -1;
  // The joint at the tail that carries and twists it without having a bone (end_frame). Its twist
  // is taken over whole (next_share is 1): no bone behind it shares it.
  int end = no_joint;
};

// Twist is shared out as plan_twists says.
std::vector<BoneLinks> bone_links(const Rig& rig);

}  // namespace sinew
