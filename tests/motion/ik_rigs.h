// SPDX-License-Identifier: Apache-2.0
// Skeletons for inverse kinematics, and what is asked of its solutions.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "sinew/motion/clip.h"
#include "sinew/motion/ik.h"

namespace sinew {

inline std::vector<Transform> rest_of(const Skeleton& skeleton) {
  std::vector<Transform> locals;
  for (const Joint& joint : skeleton.joints) locals.push_back(joint.rest);
  return locals;
}

// A chain along +x, the first joint at `root`. Its bones are bent by `bend` radians about z at each
// inner joint.
inline Skeleton chain_skeleton(const std::vector<double>& lengths, double bend, Vec3 root = {}) {
  Skeleton skeleton;
  for (std::size_t j = 0; j <= lengths.size(); ++j) {
    Joint joint;
    joint.name = "joint " + std::to_string(j);
    joint.parent = int(j) - 1;
    joint.rest.translation = j == 0 ? root : Vec3{lengths[j - 1], 0, 0};
    if (j > 0 && j < lengths.size()) joint.rest.rotation = rotation_about(Vec3{0, 0, 1}, bend);
    skeleton.joints.push_back(joint);
  }
  return skeleton;
}

// Hips, three spine joints, and arms of three bones that branch from the last: a trunk with two
// handles, joints 6 and 10.
inline Skeleton two_arms() {
  Skeleton skeleton;
  const auto add = [&](const char* name, int parent, Vec3 place, double turn) {
    Joint joint;
    joint.name = name;
    joint.parent = parent;
    joint.rest.translation = place;
    joint.rest.rotation = rotation_about(Vec3{0, 0, 1}, turn);
    skeleton.joints.push_back(joint);
  };
  add("hips", -1, {0, 1, 0}, 0);
  add("spine", 0, {0, 0.2, 0}, 0.1);
  add("chest", 1, {0, 0.2, 0.02}, -0.1);
  add("collar.L", 2, {0.1, 0.15, 0}, 0);
  add("arm.L", 3, {0.1, 0, 0}, 0.1);
  add("forearm.L", 4, {0.3, 0, 0}, 0.3);
  add("hand.L", 5, {0.25, 0, 0}, 0);
  add("collar.R", 2, {-0.1, 0.15, 0}, 0);
  add("arm.R", 7, {-0.1, 0, 0}, -0.1);
  add("forearm.R", 8, {-0.3, 0, 0}, -0.3);
  add("hand.R", 9, {-0.25, 0, 0}, 0);
  return skeleton;
}

inline std::vector<Vec3> places(const Skeleton& skeleton, const std::vector<Transform>& locals) {
  std::vector<Vec3> result;
  for (const Affine& frame : forward_kinematics(skeleton, locals)) {
    result.push_back(frame.translation);
  }
  return result;
}

// Where the last joint is.
inline Vec3 end_of(const Skeleton& skeleton, const std::vector<Transform>& locals) {
  return places(skeleton, locals).back();
}

// The largest change of the distance between a joint and its parent.
inline double length_change(const Skeleton& skeleton, const std::vector<Transform>& before,
                            const std::vector<Transform>& after) {
  const auto a = places(skeleton, before), b = places(skeleton, after);
  double worst = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const JointIndex parent = skeleton.joints[j].parent;
    if (parent == no_joint) continue;
    worst = std::max(worst, std::fabs(distance(a[j], a[parent]) - distance(b[j], b[parent])));
  }
  return worst;
}

// The largest distance that a joint moves from one pose to the other.
inline double largest_move(const Skeleton& skeleton, const std::vector<Transform>& before,
                           const std::vector<Transform>& after) {
  const auto a = places(skeleton, before), b = places(skeleton, after);
  double worst = 0;
  for (std::size_t j = 0; j < a.size(); ++j) worst = std::max(worst, distance(a[j], b[j]));
  return worst;
}

// The largest angle that a joint's frame turns in world space from one pose to the other.
inline double largest_turn_between(const Skeleton& skeleton, const std::vector<Transform>& before,
                                   const std::vector<Transform>& after) {
  const auto a = forward_kinematics(skeleton, before), b = forward_kinematics(skeleton, after);
  double worst = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const Quat turn = to_transform(b[j]).rotation * conjugate(to_transform(a[j]).rotation);
    worst = std::max(worst, rotation_angle(turn));
  }
  return worst;
}

// One handle, solved from `locals`.
inline std::vector<Transform> reach(const Skeleton& skeleton, const IkHandle& handle,
                                    const IkGoal& goal, std::vector<Transform> locals,
                                    const IkOptions& options = {}) {
  IkSolver solver(skeleton, {&handle, 1}, options);
  solver.solve({&goal, 1}, locals);
  return locals;
}

inline IkGoal at(const Vec3& place) {
  IkGoal goal;
  goal.position = place;
  return goal;
}

}  // namespace sinew
