// SPDX-License-Identifier: Apache-2.0
// The description of a sample: joints, the body around them, and how to colour it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/rig/rig.h"
#include "sinew/samples/internal/implicit.h"

namespace sinew::samples {

struct Blueprint {
  std::string name, material;
  std::vector<Joint> joints;              // rest rotations are the identity
  std::vector<Vec3> places;               // of the joints, in mesh space
  std::vector<std::optional<Vec3>> tips;  // ends of bones that have no joint there
  std::vector<int> tail_joints;           // the joint a bone points to; no_joint: see infer_tails
  std::vector<Primitive> flesh;
  bool symmetric = false;  // flesh and joints are their own mirror image in x
  bool flat = false;       // lies in the plane z = 0
  // The colour at a vertex, given the blended colour of its primitives; empty: use that.
  std::function<Vec3(const Vec3& position, const Vec3& normal, const Vec3& blended)> paint;
  // Instead of colours: the place in a picture of a vertex whose primitives have, on average, the
  // colour of that number in `zones`. Asked for x >= 0 alone where the body is symmetric.
  std::vector<Vec3> zones;
  std::function<Vec2(const Vec3& position, double zone)> place;
};

// Adds a joint and returns its number, which is also that of its bone. `parent` is a name, empty
// for a root.
int add_joint(Blueprint& blueprint, std::string name, std::string_view parent, const Vec3& place);

// The same for a joint without children, whose bone ends at `tip`.
int add_leaf(Blueprint& blueprint, std::string name, std::string_view parent, const Vec3& place,
             const Vec3& tip);

// Adds a joint without bone or body for the bone of `parent` to point to, so that the last bone of
// a chain can be stretched and twisted. To be added after all joints with bones.
void add_end(Blueprint& blueprint, std::string name, std::string_view parent, const Vec3& place);

// Sets the child that the bone of `joint` points to.
void point_to(Blueprint& blueprint, std::string_view joint, std::string_view child);

// The number of the joint with that name, which must exist.
int joint_number(const Blueprint& blueprint, std::string_view name);
const Vec3& joint_place(const Blueprint& blueprint, std::string_view name);

// A tapered capsule on the bone `bone`, for the caller to adjust and add to the flesh.
Primitive limb(const Blueprint& blueprint, std::string_view bone, const Vec3& a, const Vec3& b,
               double radius_a, double radius_b, double blend);

// Adds the mirror image of every joint whose name ends in ".L", as ".R", and of the flesh on it.
void mirror(Blueprint& blueprint);

// Creates the mesh, its colours and its weights. Clips, controls and drivers are left to the
// caller.
Rig build(const Blueprint& blueprint, std::size_t vertex_target, const Progress& progress);

}  // namespace sinew::samples
