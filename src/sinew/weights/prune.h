// SPDX-License-Identifier: Apache-2.0
// Limits the number of bones per vertex, as engines require, and measures the resulting error.
#pragma once

#include <cstddef>

#include "sinew/skin/skin.h"
#include "sinew/weights/locks.h"

namespace sinew {

// The change of a vertex is the sum over its bones of the absolute change of their weights.
struct PruneError {
  double largest = 0;
  double mean = 0;               // over all vertices
  std::size_t changed = 0;       // vertices that lost a bone with a weight above 0
  std::size_t worst_vertex = 0;  // the first with the largest change
};

// The weights that are left, and what that costs.
struct Pruned {
  // Without influences of weight 0; rows that had weight sum to 1. All else is as it was.
  Skin skin;
  PruneError error;
};

// Keeps the `max_influences` largest weights of each vertex (ties go to the lower bone) in their
// original order, and scales them to sum 1. The change is measured from the row scaled to sum 1.
// Locked bones stay with their weights and count; if they leave room for no other bone but do not
// sum to 1, the largest other weight stays, too, one more than the limit. Throws UsageError for 0
// influences and InputError for invalid weights.
Pruned prune(const Skin& skin, std::size_t max_influences, const Locks& locks = {});

}  // namespace sinew
