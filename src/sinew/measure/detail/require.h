// SPDX-License-Identifier: Apache-2.0
// Input checks shared by the measures.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/skin/weights.h"

namespace sinew::detail {

// Throws UsageError if the numbers of positions differ, InputError for an index out of range or a
// coordinate that is not finite or so large (1e100) that its cube would not be.
void require_same_mesh(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest,
                       const std::vector<Vec3>& deformed);

// Throws UsageError if there is not one row per vertex or a bone is out of range.
void require_same_rig(const Weights& weights, std::size_t vertex_count, std::size_t bone_count);

}  // namespace sinew::detail
