// SPDX-License-Identifier: Apache-2.0
// Updates the meshes of a document to match a rig.
#pragma once

#include <vector>

#include "sinew/io/gltf/layout.h"
#include "sinew/io/gltf/outline.h"
#include "sinew/io/gltf/write_nodes.h"
#include "sinew/rig/rig.h"

namespace sinew::gltf {

// The state shared by the steps of an update.
struct Update {
  const Document& source;  // with a target for each of the shapes
  const Layout& layout;    // of the source
  const Rig& before;       // as in the source, without large arrays (Outline::rig)
  const Prints& had;       // of the rig in the source
  const Rig& rig;          // as it should become
  const Prints& has;       // of this
  const GltfOptions& options;
  bool has_other_targets = false;  // whether the rig's shapes are not those of the file

  Document document;  // starts as a copy of the source
  std::vector<int> node_of_joint;
  std::vector<SkinSlots> skins;
  std::vector<bool> skin_changed;
};

// The bone's slot in the skin; adds the bone to the skin if needed.
int slot_for(Update& update, std::size_t skin, int bone);

// Adds a skin without joints and returns its index.
std::size_t add_skin(Update& update);

// Updates weights, vertices, triangles and blend shapes of all parts. A mesh shared by several
// nodes is copied for a node whose parts changed. A primitive compressed with Draco is stored
// uncompressed if it changes.
void update_meshes(Update& update);

}  // namespace sinew::gltf
