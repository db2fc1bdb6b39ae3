// SPDX-License-Identifier: Apache-2.0
// Joints that follow the rotation of another at run time, as glTF's VRMC_node_constraint has them.
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
    copy,  // the source's whole rotation, from its own axes to those of the joint
  };
  int joint = no_joint;
  int source = no_joint;
  Kind kind = Kind::roll;
  int axis = 0;       // of a roll: 0, 1, 2 for x, y, z
  double weight = 1;  // in [0, 1]

  friend bool operator==(const JointConstraint&, const JointConstraint&) = default;
};

// Sets the rotations of all constrained joints in a pose, one place per joint of the skeleton, by
// the example implementations of VRMC_node_constraint 1.0: a source before what follows it. A roll
// is read in the frame of the source's parent and done in that of the joint's own. Constraints in a
// circle are left out. Throws UsageError where there is not one place per joint, or a constraint
// names a joint or an axis that does not exist.
void apply_constraints(const Skeleton& skeleton, std::span<const JointConstraint> constraints,
                       std::span<Transform> locals);

}  // namespace sinew
