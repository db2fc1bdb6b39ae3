// SPDX-License-Identifier: Apache-2.0
// Room for blend shapes that a rig has got since it was read. In a file each node has its own morph
// targets, so that a new shape becomes one for each node whose vertices it moves.
#pragma once

#include "sinew/io/gltf/layout.h"
#include "sinew/rig/rig.h"

namespace sinew::gltf {

// A document and two rigs whose shapes are in the order of the document's nodes.
struct Grown {
  Document source;  // with targets for the new shapes that hold nothing yet
  Layout layout;    // of this
  Rig before;       // the document's, with new shapes that move nothing
  Rig rig;          // as it should become
};

// `before` is what the document with this layout holds; `rig` has the same shapes, then more.
Grown grow_shapes(const Document& source, const Layout& layout, const Rig& before, const Rig& rig);

// The node and the number of the target that each of the rig's shapes is in.
struct TargetPlace {
  int node = 0, target = 0;
};
std::vector<TargetPlace> target_places(const Layout& layout);

}  // namespace sinew::gltf
