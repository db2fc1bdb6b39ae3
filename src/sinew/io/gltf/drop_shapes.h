// SPDX-License-Identifier: Apache-2.0
// Blend shapes of a file that its rig does not have any more.
#pragma once

#include <vector>

#include "sinew/io/gltf/layout.h"
#include "sinew/io/gltf/outline.h"
#include "sinew/rig/rig.h"

namespace sinew::gltf {

// Which shapes of `before`, what the document with this layout holds, `rig` has not, whose prints
// are `prints`. The rig's are those of `before` in their order, some left out and some changed,
// then new ones. One that now moves vertices of other nodes than it did is a new one: a target is
// in one node.
std::vector<bool> dropped_shapes(const Layout& layout, const Outline& before, const Rig& rig,
                                 const Prints& prints);

// A document without the targets of some shapes, and what it holds.
struct Dropped {
  Document source;
  Layout layout;
  Rig before;
};

// Data of the targets stays in the document, for remove_replaced(). Throws UsageError if the file
// names targets by number in a place that we do not read, or would have fewer vertices without.
Dropped drop_shapes(const Document& source, const Layout& layout, const Rig& before,
                    const std::vector<bool>& dropped);

}  // namespace sinew::gltf
