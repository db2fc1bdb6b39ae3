// SPDX-License-Identifier: Apache-2.0
// Shepard weights of the nearest joints (Yang and Zhang 2006, eqs. 2 and 3).
#pragma once

#include <span>

#include "sinew/core/vec.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/weights.h"

namespace sinew {

// How many joints count, and how much the near ones.
struct ShepardOptions {
  double drop_rate = 4;    // m: the power of the distance, in (0, 1000]
  int joints = 4;          // n: how many joints influence a vertex, at least 1
  double smallest = 1e-5;  // weights below this fraction of the row's largest are dropped
};

// W_i = D_i^-m / sum_k D_k^-m over the n joints nearest to the vertex (and any as near as the last
// of them), which is eq. 3 with its products cancelled. D_i is the distance to the nearest of the
// segments that start at joint i: its bones, and the lines from it to its child joints. A joint
// with several bones divides its weight among them in the same way; these bones move together. A
// vertex that lies on segments is shared equally among their joints. Throws InputError for a
// skeleton without bones or a position that is not finite, UsageError for options out of range.
Weights shepard_weights(std::span<const Vec3> positions, const Skeleton& skeleton,
                        const ShepardOptions& options = {});

}  // namespace sinew
