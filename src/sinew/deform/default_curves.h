// SPDX-License-Identifier: Apache-2.0
// The influence curves of a rig that does not have its own.
#pragma once

#include <vector>

#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/influence_curves.h"

namespace sinew {

// All maximal chains of bones that point to each other. Chains end where the skeleton branches, and
// each branch starts a chain whose lead-in is the bone before it.
std::vector<InfluenceCurve> default_curves(const Skeleton& skeleton);

// Whether a curve can pass from one bone to the other without a gap.
bool bones_meet(const Bone& bone, const Bone& next);

}  // namespace sinew
