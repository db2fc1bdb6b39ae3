// SPDX-License-Identifier: Apache-2.0
// Which piece of a glTF document is which piece of the rig. A pure function of the document, so
// that reader and writer agree.
#pragma once

#include <vector>

#include "sinew/io/gltf/document.h"
#include "sinew/mesh/mesh.h"

namespace sinew::gltf {

struct Layout {
  // Joints of the rig: first the joints of skin 0 in its order, then those that skin 1 adds, and so
  // on; then all other nodes in document order as frames (Joint::is_frame).
  std::vector<int> joint_of_node;
  std::vector<int> node_of_joint;

  // Bones of the rig: each different (joint, inverse bind matrix) of the skins, in first-seen order
  // (for one skin: bone k is skin joint k); then one for each node that carries a mesh without
  // skin.
  std::vector<std::vector<int>> bone_of_slot;  // [skin][index in skin.joints]
  std::vector<int> bone_of_node;               // for nodes with an unskinned mesh; -1 otherwise

  // Parts of the rig's mesh: for each node with a mesh, in document order, its primitives of
  // triangles. Primitives of one node with the same attribute accessors share their vertices.
  struct PartSource {
    int node = 0, mesh = 0, primitive = 0;
    int skin = -1;
    Index first_vertex = 0, vertex_count = 0;
    int first_shape = 0, shape_count = 0;  // the rig's blend shapes that come from its targets
  };
  std::vector<PartSource> parts;
};

// The document must have passed the reader's checks.
Layout layout_of(const Document& document);

}  // namespace sinew::gltf
