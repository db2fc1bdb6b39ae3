// SPDX-License-Identifier: Apache-2.0
// How much the edges of a mesh change their length.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Ratios are lengths after to lengths before: 1 where nothing changes, 0 where an edge collapses.
struct EdgeStretch {
  double longest = 1;
  double shortest = 1;
  double rms = 0;             // of (ratio - 1), edges weighted by their length at rest
  std::size_t edges = 0;      // that were measured, each once
  std::size_t no_length = 0;  // at rest, to 1e-12 of the bounding box: left out
};

// Throws UsageError if the numbers of positions differ, InputError for an index out of range or a
// coordinate that is not finite.
EdgeStretch edge_stretch(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest,
                         const std::vector<Vec3>& deformed);

}  // namespace sinew
