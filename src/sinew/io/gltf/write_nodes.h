// SPDX-License-Identifier: Apache-2.0
// Writes joints as glTF nodes, and bones as the joints of skins.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "sinew/io/gltf/document.h"
#include "sinew/skeleton/constraints.h"

namespace sinew::gltf {

// Sets translation, rotation and scale, and removes a matrix; default values are omitted.
void set_transform(Json& node, const Transform& transform);

Json node_of(const Joint& joint);

// Makes a node a child of node `parent` or, if `parent` is -1, a root of the default scene, if any.
void attach_node(Document& document, int node, int parent);

// Appends a node to the list, attaches it and returns its index.
int add_node(Document& document, Json node, int parent);

// The root nodes that are, or are ancestors of, one of `nodes`, in order.
std::vector<int> roots_above(const Document& document, std::span<const int> nodes);

// Adds VRMC_node_constraint 1.0 to the joints' nodes and to the list of used extensions.
void set_constraints(Document& document, std::span<const JointConstraint> constraints,
                     std::span<const int> node_of_joint);

// A skin's joints, slot by slot.
struct SkinSlots {
  std::vector<int> nodes;
  std::vector<Affine> inverse_binds;
  std::vector<int> slot_of_bone;  // -1: not in this skin
  std::set<int> taken;            // the nodes as a set

  // Gives the bone a slot, which it must not have yet. A node can be in a skin only once, so a
  // second bone of the same joint gets a new node below the joint's.
  void add(Document& document, int bone, int node, const Affine& inverse_bind);
};

// Sets joints and inverseBindMatrices.
void set_slots(Document& document, Json& skin, const SkinSlots& slots);

}  // namespace sinew::gltf
