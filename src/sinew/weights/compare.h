// SPDX-License-Identifier: Apache-2.0
// How much two sets of bone weights for the same mesh differ.
#pragma once

#include <cstddef>

#include "sinew/skin/weights.h"

namespace sinew {

// The difference of a vertex is the sum over bones of |a - b|: 0 for equal rows, 2 for rows without
// a common bone. Everything is 0 (and the agreement 1) for weights without vertices.
struct WeightDifference {
  double mean = 0;
  double largest = 0;
  std::size_t worst_vertex = 0;   // the first with the largest difference
  double mean_per_entry = 0;      // of |a - b| over all vertices x bones
  double mean_per_influence = 0;  // the same over those entries where a or b is not 0
  double dominant_agreement = 1;  // share of vertices where both have their largest weight at the
                                  // same bone (of equal ones the lowest), or both have none
};

// Rows are compared as they are, without normalising. Throws UsageError if the numbers of rows
// differ, and InputError for a bone index that is not below `bone_count`.
WeightDifference compare(const Weights& a, const Weights& b, std::size_t bone_count);

}  // namespace sinew
