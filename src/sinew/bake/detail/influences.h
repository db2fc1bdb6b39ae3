// SPDX-License-Identifier: Apache-2.0
// At most so many helpers per vertex: those whose loss moves it least.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/affine.h"
#include "sinew/skin/weights.h"

namespace sinew::baking {

// Where a pose takes the vertices: in truth, and each bone of the baked skeleton on its own.
struct Target {
  std::vector<Vec3> rest;   // positions before skinning, blend shapes applied
  std::vector<Vec3> truth;  // in world space
  std::vector<Affine> palette;
  bool is_extra = false;  // nothing is chosen for it
};

// Takes influences away one by one, each time the one whose loss leaves the vertex nearest to the
// truth over all targets (sum of squares) when the others are weighed anew. Rows that are short
// enough stay as they are. `limit` is above 0.
Weights limit_influences(const Weights& weights, std::size_t limit,
                         std::span<const Target> targets);

}  // namespace sinew::baking
