// SPDX-License-Identifier: Apache-2.0
// Inverse distance weighting: bone weights, and endpoint weights (seed 000 eqs. 7 and 9).
#pragma once

#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/weights.h"

namespace sinew {

struct InverseDistanceOptions {
  double alpha = 4;        // the power of the distance, at least 2
  double smallest = 1e-4;  // weights below this part of the row's largest are dropped
};

// w_i = d_i^-alpha / sum_k d_k^-alpha with the distances d to the bones' segments. A vertex on
// bones is shared equally among those. Throws InputError for a skeleton without bones or a position
// that is not finite, UsageError for an alpha below 2 or a `smallest` outside [0, 0.01].
Weights inverse_distance_weights(std::span<const Vec3> positions, const Skeleton& skeleton,
                                 const InverseDistanceOptions& options = {});

struct InverseDistanceEndpointOptions {
  double alpha = 4;
};

// For each influence, e = d_a^alpha / (d_a^alpha + d_b^alpha) with the distances to the bone's head
// a and tail b: eq. 7 with the joint weights of eq. 9, scaled to sum 1 over the two joints of the
// bone. (Scaled over all joints, those of other bones would pull e to 1/2 around them.) Exactly 0
// at the head and 1 at the tail; 1/2 far beyond either: the fall-off effect of fig. 7. Throws as
// above, and InputError where there is not one row of weights per position.
std::vector<double> inverse_distance_endpoints(std::span<const Vec3> positions,
                                               const Skeleton& skeleton, const Weights& weights,
                                               const InverseDistanceEndpointOptions& options = {});

}  // namespace sinew
