// SPDX-License-Identifier: Apache-2.0
// Joints as glTF nodes, and bones as the joints of skins.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "sinew/io/gltf/document.h"
#include "sinew/skeleton/constraints.h"

namespace sinew::gltf {

// Sets translation, rotation and scale and takes out a matrix; what is as by default is left out.
void set_transform(Json& node, const Transform& transform);

Json node_of(const Joint& joint);

// Makes a node a child of node `parent`, or with -1 a root of the default scene, if there is one.
void attach_node(Document& document, int node, int parent);

// Adds a node at the end of the list and attaches it. Gives its number.
int add_node(Document& document, Json node, int parent);

// The nodes that are moved by nothing else and have one of `nodes` at or below them, in order.
std::vector<int> roots_above(const Document& document, std::span<const int> nodes);

// Gives the joints' nodes VRMC_node_constraint 1.0, and names it among the extensions used.
void set_constraints(Document& document, std::span<const JointConstraint> constraints,
                     std::span<const int> node_of_joint);

// A skin's joints, slot by slot.
struct SkinSlots {
  std::vector<int> nodes;
  std::vector<Affine> inverse_binds;
  std::vector<int> slot_of_bone;  // -1: not in this skin
  std::set<int> taken;            // the nodes, once more

  // Gives the bone a slot, which it must not have yet. A node can be in a skin only once: for a
  // second bone of the same joint, a node of its own is added below the joint's.
  void add(Document& document, int bone, int node, const Affine& inverse_bind);
};

// Sets joints and inverseBindMatrices.
void set_slots(Document& document, Json& skin, const SkinSlots& slots);

}  // namespace sinew::gltf
