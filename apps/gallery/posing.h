// SPDX-License-Identifier: Apache-2.0
// Small skeletons built bone by bone, posed as in the papers by moving bone ends.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/deform/bone_state.h"
#include "sinew/deform/method.h"
#include "sinew/rig/rig.h"

namespace sinew::gallery {

// One bone of a skeleton, with a joint of the same name; the parent must come earlier, or is empty.
struct BonePlan {
  std::string name, parent;
  Vec3 head, tail;
};

// In the same order. A bone points to the first child that starts at its tail.
Skeleton make_skeleton(std::span<const BonePlan> bones);

// The number of the bone with that name, which must exist.
int bone_number(const Skeleton& skeleton, std::string_view name);

// The pose of one bone, relative to its parent.
struct BoneMotion {
  std::string bone;
  Quat bend{};           // about its head, in mesh axes
  double twist = 0;      // degrees about its own axis: any real number
  double share = 0.5;    // share of the twist spread along the parent that points here
  double end_twist = 0;  // degrees by which its tail is twisted against its head
  double stretch = 1;    // its length relative to rest
};

// Forward kinematics by ends: a bone starts where its parent's stretched and twisted end takes it.
// For the standard methods, dual quaternions included, a stretched bone scales along its axis
// (Jacobson and Sorkine 2011, eq. 3), and a twisted one turns as a whole. Bones without a motion
// follow their parents.
std::vector<BoneState> pose_bones(const Skeleton& skeleton, std::span<const BoneMotion> motions);

// Computes bounded biharmonic bone weights and endpoint weights on a lattice of about `nodes`
// nodes.
void weigh_automatically(Rig& rig, std::size_t nodes, const Progress& progress = {});

// The posed positions of the vertices whose main bone is one of these.
std::vector<Vec3> led_by(const Rig& rig, std::span<const Vec3> positions,
                         std::initializer_list<std::string_view> bones);

// The rig's mesh in a pose, by a method, or by one of the command line's names.
std::vector<Vec3> deformed(const Rig& rig, std::span<const BoneState> states, Method method);
std::vector<Vec3> deformed(const Rig& rig, std::span<const BoneState> states,
                           std::string_view method);

}  // namespace sinew::gallery
