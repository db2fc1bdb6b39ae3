// SPDX-License-Identifier: Apache-2.0
// Limits the influences per vertex by dropping those that matter least.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sinew/core/affine.h"
#include "sinew/skin/weights.h"

namespace sinew::baking {

// Where a pose takes the vertices: the true result, and the palette of the baked skeleton.
struct Target {
  // Positions before skinning, blend shapes and bulges applied; and the same without the bulges of
  // muscles, nothing if there are none. Poses without either share them.
  std::shared_ptr<const std::vector<Vec3>> rest, plain;
  std::vector<Vec3> truth;  // in world space
  std::vector<Affine> palette;
  bool is_extra = false;  // used for measuring only, not for choosing influences
};

// Removes influences one by one, each time the one whose removal keeps the vertex nearest to the
// true result over all targets (sum of squares) after the other weights are recomputed. Rows that
// are short enough do not change. `limit` must be above 0.
Weights limit_influences(const Weights& weights, std::size_t limit,
                         std::span<const Target> targets);

}  // namespace sinew::baking
