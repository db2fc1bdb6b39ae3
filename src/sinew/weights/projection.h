// SPDX-License-Identifier: Apache-2.0
// Endpoint weights by projection (seed 000 eq. 8).
#pragma once

#include <vector>

#include "sinew/rig/rig.h"

namespace sinew {

// The parameter in [0, 1] of the point of the segment from `head` to `tail` that is nearest to `p`.
double project_on_segment(const Vec3& p, const Vec3& head, const Vec3& tail);

// For each influence of the rig: where the vertex projects onto the bone.
std::vector<double> projection_endpoints(const Rig& rig);

}  // namespace sinew
