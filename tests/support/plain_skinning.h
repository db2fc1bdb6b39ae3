// SPDX-License-Identifier: Apache-2.0
// Linear blend skinning as in any engine, independent of the library's own code.
#pragma once

#include <span>
#include <vector>

#include "sinew/rig/rig.h"

namespace sinew {

// `maps` takes mesh space to world space, one per bone.
inline std::vector<Vec3> plain_skinning(const Rig& rig, std::span<const Affine> maps) {
  std::vector<Vec3> positions;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    Vec3 p;
    for (const Influence& influence : rig.skin.weights.row(v)) {
      p += influence.weight * transform_point(maps[influence.bone], rig.mesh.positions[v]);
    }
    positions.push_back(p);
  }
  return positions;
}

}  // namespace sinew
