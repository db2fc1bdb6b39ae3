// SPDX-License-Identifier: Apache-2.0
// The mapping between a glTF document and a rig. A pure function of the document, so that reader
// and writer agree.
#pragma once

#include <vector>

#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/scene.h"
#include "sinew/mesh/mesh.h"

namespace sinew::gltf {

struct Layout {
  Scene scene;

  // Joints of the rig: first the joints of skin 0 in its order, then those that skin 1 adds, and so
  // on; then all other nodes in document order, as frames (Joint::is_frame).
  std::vector<int> joint_of_node;
  std::vector<int> node_of_joint;

  // Bones of the rig: each different (joint, inverse bind matrix) of the skins, in first-seen order
  // (for one skin: bone k is skin joint k); then one for each node with parts and without skin.
  struct BoneSource {
    int joint = 0;
    Affine inverse_bind;
  };
  std::vector<BoneSource> bones;
  std::vector<std::vector<int>> bone_of_slot;  // [skin][index in skin.joints]
  std::vector<int> bone_of_node;               // for nodes with an unskinned mesh; -1 otherwise
  // Every mesh is that of a rig whose weights are still to be computed: nothing carries it.
  bool is_unbound = false;

  // Parts of the rig's mesh: for each node with a mesh, in document order, its primitives of
  // triangles that have positions. Primitives of one node with the same attribute accessors (and
  // targets) share their vertices.
  struct PartSource {
    int node = 0, mesh = 0, primitive = 0;
    int skin = -1;
    Index first_vertex = 0, vertex_count = 0;
    bool shares_vertices = false;  // with an earlier part of the node
    // The rig's blend shapes that come from its morph targets. All parts of a node share them:
    // shape k covers target k of each part.
    int first_shape = 0, shape_count = 0;
    // From the primitive's space to the rig's mesh space. With a skin: the identity. Without: the
    // node's world transform at rest, or the identity if that is singular (a node scaled to 0).
    Affine to_rig;
  };
  std::vector<PartSource> parts;
};

// Throws InputError if the document's nodes, skins or primitives are invalid.
Layout layout_of(const Document& document);

}  // namespace sinew::gltf
