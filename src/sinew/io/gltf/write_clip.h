// SPDX-License-Identifier: Apache-2.0
// Writes clips as glTF animations.
#pragma once

#include <span>
#include <vector>

#include "sinew/io/gltf/document.h"
#include "sinew/motion/clip.h"

namespace sinew::gltf {

// The blend shapes that the mesh of one node has.
struct ShapeGroup {
  int node = 0;
  int first_shape = 0, shape_count = 0;
};

// What a clip's channels drive.
struct ClipTargets {
  std::span<const int> node_of_joint;
  std::span<const ShapeGroup> groups;
  std::span<const double> default_weights;  // one per blend shape of the rig
};

// Returns the animation and adds its data to the document; curves are converted by fit_curve. Of
// several channels with the same target the last is kept; channels that drive controls go into the
// animation's extras. glTF does not allow animations without channels, so an otherwise empty one
// gets a channel without a node, which readers ignore.
Json write_clip(Document& document, const Clip& clip, const ClipTargets& targets);

}  // namespace sinew::gltf
