// SPDX-License-Identifier: Apache-2.0
// Seams that do not show: vertices at one place that share a normal.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// For each vertex the first one at exactly the same place whose normal is the same to some two
// degrees; itself where there is none before it. `normals` has unit length, one per vertex; without
// any, the place alone counts. Of many different normals at one place, those after the sixteenth
// stay by themselves. Throws InputError for a coordinate that is not finite.
std::vector<Index> smooth_groups(const std::vector<Vec3>& positions,
                                 const std::vector<Vec3>& normals);

}  // namespace sinew
