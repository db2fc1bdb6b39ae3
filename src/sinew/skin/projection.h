// SPDX-License-Identifier: Apache-2.0
// Endpoint weights by projection (Jacobson and Sorkine 2011, eq. 8).
#pragma once

#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/weights.h"

namespace sinew {

// The parameter in [0, 1] of the point nearest to `p` on the segment from `head` to `tail`.
double project_on_segment(const Vec3& p, const Vec3& head, const Vec3& tail);

// One endpoint weight per influence: where the vertex projects onto the bone. Throws InputError if
// there is not one row of weights per position, or a row has a bone that does not exist.
std::vector<double> projection_endpoints(std::span<const Vec3> positions, const Skeleton& skeleton,
                                         const Weights& weights);

}  // namespace sinew
