// SPDX-License-Identifier: Apache-2.0
// Measures where along the limbs the twist is: concentrated near joints, or spread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/measure/sections.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {

inline constexpr double near_joint = 0.2;  // fraction of the length of each bone at the joint

// The twist at one joint, over the bone that points to it and the bone that starts there. If the
// parent bone points elsewhere (as for a thigh or finger), only the latter counts. A bone twisted
// only between its own ends also counts alone, and its tail is then the joint. All angles in
// radians.
struct JointTwist {
  std::optional<int> before, after;
  double asked = 0;  // twist that the pose requires
  double total = 0;  // sum of the absolute turns along the bones
  double near = 0;   // the part of `total` within `near_joint` of the joint

  // near / total: 0.2 if the twist is spread evenly. Nothing if `total` is less than a hundredth of
  // `asked`.
  std::optional<double> share() const;
};

// One for each joint where a bone twists relative to its parent by more than `least` radians, and
// one for each bone whose ends are twisted relative to each other by more than that and that has no
// such joint at either end. `sections` are those of bone_sections(); bones without sections that
// show a turn are ignored. A bone between two such joints is divided in half between them. This
// function and twisted_bones() throw UsageError if states or sections are not one per bone.
std::vector<JointTwist> joint_twists(const Skeleton& skeleton, std::span<const BoneState> states,
                                     std::span<const std::vector<Section>> sections,
                                     double least = radians(1));

// Whether each bone is involved in a twist: it twists relative to its parent, it points to such a
// bone, or its ends are twisted relative to each other.
std::vector<bool> twisted_bones(const Skeleton& skeleton, std::span<const BoneState> states,
                                double least = radians(1));

// The fraction of the total twist at these joints that lies near them.
std::optional<double> share_near_joints(std::span<const JointTwist> joints);

}  // namespace sinew
