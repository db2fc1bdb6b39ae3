// SPDX-License-Identifier: Apache-2.0
// Poses told by where joints are: targets for inverse kinematics beside the joints of a pose.
#pragma once

#include <string>
#include <vector>

#include "sinew/deform/told_pose.h"
#include "sinew/motion/ik.h"
#include "sinew/rig/rig.h"

namespace sinew {

// The targets of one pose: handles, and a goal for each; what holds for all of them.
struct PoseTargets {
  std::vector<IkHandle> handles;
  std::vector<IkGoal> goals;
  IkOptions options;
  friend bool operator==(const PoseTargets&, const PoseTargets&) = default;
};

// Moves the joints of the pose, which is where the solver starts from, to their targets, and
// computes the generalized bones. `notes` gets a line for each target that is out of reach. Throws
// UsageError as IkSolver.
void solve_targets(const Rig& rig, const PoseTargets& targets, ToldPose& pose,
                   std::vector<std::string>* notes = nullptr);

// "the target of hand.L is 0.12 away from it: ..."; for notes.
std::string describe_miss(const Skeleton& skeleton, JointIndex joint, double distance);

}  // namespace sinew
