// SPDX-License-Identifier: Apache-2.0
// Inverse distance weighting: bone weights, and endpoint weights (Jacobson and Sorkine 2011, eqs. 7
// and 9).
#pragma once

#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/weights.h"

namespace sinew {

// How fast weights fall off.
struct InverseDistanceOptions {
  double alpha = 4;        // the power of the distance, at least 2
  double smallest = 1e-4;  // weights below this fraction of the row's largest are dropped
};

// w_i = d_i^-alpha / sum_k d_k^-alpha with the distances d to the bones' segments. A vertex that
// lies on bones is shared equally among them. Throws InputError for a skeleton without bones or a
// position that is not finite, UsageError for an alpha below 2 or a `smallest` outside [0, 0.01].
Weights inverse_distance_weights(std::span<const Vec3> positions, const Skeleton& skeleton,
                                 const InverseDistanceOptions& options = {});

// Over which joints the joint weights of eq. 9 are scaled to sum 1.
enum class JointSet {
  of_the_bone,  // the bone's own two; joints of other bones do not pull e to 1/2 near them
  all,          // every bone end (weights/bone_ends.h), as in the paper
};

// How fast they fall off, and between which joints.
struct InverseDistanceEndpointOptions {
  double alpha = 4;
  JointSet joints = JointSet::of_the_bone;
};

// For each influence e = ((1 - j_a) + j_b) / 2 (eq. 7) with the joint weights of the bone's head a
// and tail b: 1 / d^alpha of the distance d to the joint (eq. 9), scaled. Over the two joints of
// the bone that is e = d_a^alpha / (d_a^alpha + d_b^alpha). Exactly 0 at the head and 1 at the
// tail; 1/2 far beyond either: the fall-off effect of fig. 7. Throws as above, and InputError where
// there is not one row of weights per position.
std::vector<double> inverse_distance_endpoints(std::span<const Vec3> positions,
                                               const Skeleton& skeleton, const Weights& weights,
                                               const InverseDistanceEndpointOptions& options = {});

}  // namespace sinew
