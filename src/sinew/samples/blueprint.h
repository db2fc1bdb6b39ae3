// SPDX-License-Identifier: Apache-2.0
// What a sample is made from: joints, the flesh around them, and how to paint it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/rig/rig.h"
#include "sinew/samples/implicit.h"

namespace sinew::samples {

struct Blueprint {
  std::string name, material;
  std::vector<Joint> joints;   // rest rotations are the identity
  std::vector<Vec3> places;    // of the joints, in mesh space
  std::vector<Vec3> tips;      // where each joint's bone ends, unless it points to a child
  std::vector<bool> has_tip;
  std::vector<Primitive> flesh;
  bool symmetric = false;      // flesh and joints are their own mirror image in x
  bool flat = false;           // lies in the plane z = 0
  // The colour at a vertex from the one that its primitives blend to; empty: that.
  std::function<Vec3(const Vec3& position, const Vec3& normal, const Vec3& blended)> paint;
};

// Adds a joint; the number of the joint, which is also that of its bone. `parent` is a name, empty
// for a root.
int add_joint(Blueprint& blueprint, std::string name, std::string_view parent, const Vec3& place);

// The same, for one without children whose bone ends at `tip`.
int add_leaf(Blueprint& blueprint, std::string name, std::string_view parent, const Vec3& place,
             const Vec3& tip);

// The number of the joint of that name, which must be there.
int joint_number(const Blueprint& blueprint, std::string_view name);
const Vec3& joint_place(const Blueprint& blueprint, std::string_view name);

// Adds the mirror image of every joint whose name ends in ".L", as ".R", and of the flesh on it.
void mirror(Blueprint& blueprint);

// Sculpts, paints and weighs. Clips, controls and drivers are left to the caller.
Rig build(const Blueprint& blueprint, std::size_t vertex_target, const Progress& progress);

}  // namespace sinew::samples
