// SPDX-License-Identifier: Apache-2.0
// Endpoint weights from weights that belong to joints (Jacobson and Sorkine 2011, eq. 7).
#pragma once

#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/skin.h"

namespace sinew {

// The joints that a bone starts or ends at, in the skeleton's order.
std::vector<JointIndex> joints_of_bones(const Skeleton& skeleton);

// For a bone from joint a to joint b: e = ((1 - j_a) + j_b) / 2, which is 0 where only a has weight
// and 1 where only b has. `joint_weights` are vertices x joints_of_bones(), row by row, in [0, 1].
// A bone that ends at no joint keeps the skin's endpoint weights or, if it has none, gets those of
// projection. Returns one for each influence. Throws UsageError for another number of weights,
// InputError naming the vertex for one outside [0, 1].
std::vector<double> joint_endpoints(std::span<const Vec3> positions, const Skeleton& skeleton,
                                    const Skin& skin, std::span<const double> joint_weights);

}  // namespace sinew
