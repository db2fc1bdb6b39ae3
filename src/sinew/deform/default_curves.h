// SPDX-License-Identifier: Apache-2.0
// The influence curves of a rig that does not have its own.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/influence_curves.h"

namespace sinew {

// All maximal chains of bones that point to each other. Chains end where the skeleton branches, and
// each branch starts a chain whose lead-in is the bone before it.
std::vector<InfluenceCurve> default_curves(const Skeleton& skeleton);

// Whether a curve can pass from one bone to the other without a gap.
bool bones_meet(const Bone& bone, const Bone& next);

// The place in curve.bones of the first bone that neither hangs from the one before it (from the
// lead-in, for the first) nor starts where that one ends: no curve passes through the two. Nothing
// if there is none. The bones must exist.
std::optional<std::size_t> first_stray(const Skeleton& skeleton, const InfluenceCurve& curve);

}  // namespace sinew
