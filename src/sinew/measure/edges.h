// SPDX-License-Identifier: Apache-2.0
// Measures how much the edges of a mesh change in length.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Ratios are deformed length / rest length: 1 if nothing changes, 0 if an edge collapses.
struct EdgeStretch {
  double longest = 1;
  double shortest = 1;
  double rms = 0;             // of (ratio - 1), edges weighted by their length at rest
  std::size_t edges = 0;      // number measured, each edge once
  std::size_t no_length = 0;  // edges shorter than 1e-12 of the bounding box at rest; left out
};

// Throws UsageError if the numbers of positions differ, InputError for an index out of range or a
// coordinate that is not finite.
EdgeStretch edge_stretch(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest,
                         const std::vector<Vec3>& deformed);

}  // namespace sinew
