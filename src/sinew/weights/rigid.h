// SPDX-License-Identifier: Apache-2.0
// Rigid weights: each vertex follows the bone nearest to it.
#pragma once

#include <span>

#include "sinew/core/vec.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/weights.h"

namespace sinew {

// Weight 1 for the nearest bone, by the distance to its segment. Ties (distances that agree to
// 1e-9) go to the lowest bone, since a vertex that follows two bones would not be rigid. Throws
// InputError for a skeleton without bones or a position that is not finite.
Weights rigid_weights(std::span<const Vec3> positions, const Skeleton& skeleton);

}  // namespace sinew
