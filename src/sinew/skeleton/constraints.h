// SPDX-License-Identifier: Apache-2.0
// Joints that follow the rotation of another at run time, as in glTF's VRMC_node_constraint.
#pragma once

#include <span>
#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// Rotations are relative to rest.
struct JointConstraint {
  // What is taken from the source.
  enum class Kind {
    roll,  // the source's twist about one axis of the joint's own rest frame
    copy,  // the source's whole rotation, converted from its axes to the joint's
  };
  JointIndex joint = no_joint;
  JointIndex source = no_joint;
  Kind kind = Kind::roll;
  int axis = 0;       // for roll: 0, 1, 2 for x, y, z
  double weight = 1;  // in [0, 1]

  friend bool operator==(const JointConstraint&, const JointConstraint&) = default;
};

// Sets the rotations of all constrained joints in a pose (`locals` has one entry per joint), like
// the example implementations of VRMC_node_constraint 1.0; sources are evaluated before the joints
// that follow them. A roll is read in the frame of the source's parent and applied in the frame of
// the joint's parent. Constraints that form a cycle are ignored. Throws UsageError if there is not
// one entry per joint, or a constraint names a joint or an axis that does not exist.
void apply_constraints(const Skeleton& skeleton, std::span<const JointConstraint> constraints,
                       std::span<Transform> locals);

}  // namespace sinew
