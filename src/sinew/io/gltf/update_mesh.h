// SPDX-License-Identifier: Apache-2.0
// Brings the meshes of a document up to date with a rig.
#pragma once

#include <vector>

#include "sinew/io/gltf/layout.h"
#include "sinew/io/gltf/write_nodes.h"
#include "sinew/rig/rig.h"

namespace sinew::gltf {

// What the steps of an update share.
struct Update {
  const Document& source;
  const Layout& layout;  // of the source
  const Rig& before;     // as the source has it
  const Rig& rig;        // as it shall be
  const GltfOptions& options;

  Document document;  // begins as the source
  std::vector<int> node_of_joint;
  std::vector<SkinSlots> skins;
  std::vector<bool> skin_changed;
};

// The slot of the bone in the skin, which is given one if it has none.
int slot_for(Update& update, std::size_t skin, int bone);

// Adds a skin without joints; gives its number.
std::size_t add_skin(Update& update);

// Weights, vertices, triangles and blend shapes of all parts. A mesh that several nodes have is
// copied for the node whose parts changed. A primitive compressed with Draco is stored plainly once
// it changes.
void update_meshes(Update& update);

}  // namespace sinew::gltf
