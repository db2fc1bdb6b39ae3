// SPDX-License-Identifier: Apache-2.0
// Where along the limbs the twist is: packed near the joints, or spread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/measure/sections.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {

inline constexpr double near_joint = 0.2;  // of the length of each bone at it

// The twist at one joint: of the bone that points to it and of the one that starts there. A bone
// whose parent points elsewhere (a thigh, a finger) has only itself; so does a bone that is twisted
// by its own ends alone, and its tail is then the joint. All angles in radians.
struct JointTwist {
  std::optional<int> before, after;
  double asked = 0;  // by the pose
  double total = 0;  // all turns along the bones added up, whichever way they go
  double near = 0;   // the part of it within `near_joint` of the joint

  // 0.2 where the twist is spread evenly. Nothing where it is less than a hundredth of what was
  // asked for.
  std::optional<double> share() const;
};

// One for each joint where a bone turns against its parent, about its own axis, by more than
// `least` radians, and one for each bone whose ends are twisted against each other by as much and
// that has no such joint at either end. `sections` are those of bone_sections(); bones without any
// that show a turn have no part in it. Of a bone between two such joints each gets the half at it.
// This and twisted_bones() throw UsageError where states or sections are not one per bone.
std::vector<JointTwist> joint_twists(const Skeleton& skeleton, std::span<const BoneState> states,
                                     std::span<const std::vector<Section>> sections,
                                     double least = radians(1));

// Whether each bone has a part in that: a bone that turns against its parent, one that points to
// such a bone, one whose ends are twisted against each other.
std::vector<bool> twisted_bones(const Skeleton& skeleton, std::span<const BoneState> states,
                                double least = radians(1));

// Of the twist at all these joints the part near them.
std::optional<double> share_near_joints(std::span<const JointTwist> joints);

}  // namespace sinew
