// SPDX-License-Identifier: Apache-2.0
// Finds the parts of a human body in a skeleton, by the names of its joints and how they hang
// together.
#pragma once

#include <vector>

#include "sinew/skeleton/body_parts.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {

// A joint's part, none of the open ones (see HumanPart).
struct HumanJoint {
  HumanPart part = HumanPart::unknown;
  BodySide side = BodySide::none;
  bool guessed = false;  // its name alone does not say so: leg_joint_L_2

  friend bool operator==(const HumanJoint&, const HumanJoint&) = default;
};

// One entry for each joint. Several joints may be the same part, as along the spine. What a name
// leaves open is decided by the joints above and below:
// - LeftLeg is a shin below a thigh, and a thigh above a shin; leg_1, leg_2, leg_3, leg_4 are
// thigh,
//   shin, foot and toes. The same holds for arms, from the upper arm on, or from the clavicle if
//   there are four. A shoulder is a clavicle if an upper arm follows, otherwise the upper arm. A
//   second foot below a foot is the toes.
// - Where no joint is called hips, the one at which the legs meet is. What is called spine above
// the
//   joint at which the arms meet is the neck, and without a head the last of the neck is the head.
// - A finger is below a hand, and the spine leads from the hips to neck or arms; others of that
// name
//   are unknown, and so are frames.
// Throws InputError as evaluation_order().
std::vector<HumanJoint> human_joints(const Skeleton& skeleton);

}  // namespace sinew
