// SPDX-License-Identifier: Apache-2.0
// At most so many bones per vertex, as engines want it, and what that costs.
#pragma once

#include <cstddef>

#include "sinew/weights/skin_weights.h"

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
  SkinWeights skin;  // without influences of weight 0; rows that had weight sum to 1
  PruneError error;
};

// Keeps the `max_influences` largest weights of each vertex (of equal ones, those of lower bones)
// in the order that they were in, and scales them to sum 1. The change counts from the row scaled
// to sum 1. Throws UsageError for 0 influences and InputError for unsound weights.
Pruned prune(const SkinWeights& skin, std::size_t max_influences);

}  // namespace sinew
