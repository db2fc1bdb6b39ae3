// SPDX-License-Identifier: Apache-2.0
// Small skeletons made bone by bone, and their poses as the papers have them: ends that are moved.
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

// One bone of a skeleton, with a joint of the same name; the parent comes before it, or is empty.
struct BonePlan {
  std::string name, parent;
  Vec3 head, tail;
};

// In the same order. A bone points to the first child that starts at its tail.
Skeleton make_skeleton(std::span<const BonePlan> bones);

// The number of the bone of that name, which must be there.
int bone_number(const Skeleton& skeleton, std::string_view name);

// What a pose does to one bone, on top of what it does to the bone's parent.
struct BoneMotion {
  std::string bone;
  Quat bend{};           // about its head, in mesh axes
  double twist = 0;      // degrees about its own axis: any real number
  double share = 0.5;    // of that twist, what is spread along the parent that points here
  double end_twist = 0;  // degrees by which its tail is twisted against its head
  double stretch = 1;    // its length relative to rest
};

// Forward kinematics by ends: a bone starts where its parent's stretched and twisted end takes it.
// For the standard methods a stretched bone scales along its axis (Jacobson and Sorkine 2011, eq.
// 3), and a twisted one turns as a whole. Bones without a motion follow their parents.
std::vector<BoneState> pose_bones(const Skeleton& skeleton, std::span<const BoneMotion> motions);

// Bone weights and endpoint weights by bounded biharmonic functions, on a lattice of about so many
// nodes.
void weigh_automatically(Rig& rig, std::size_t nodes, const Progress& progress = {});

// Of a rig's vertices in a pose, those that have one of these as their main bone.
std::vector<Vec3> led_by(const Rig& rig, std::span<const Vec3> positions,
                         std::initializer_list<std::string_view> bones);

// The rig's mesh in a pose, by a method, or by one of the command line's names.
std::vector<Vec3> deformed(const Rig& rig, std::span<const BoneState> states, Method method);
std::vector<Vec3> deformed(const Rig& rig, std::span<const BoneState> states,
                           std::string_view method);

}  // namespace sinew::gallery
