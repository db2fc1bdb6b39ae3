// SPDX-License-Identifier: Apache-2.0
// Invisible seams: groups of vertices with the same position and normal.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// For each vertex, the first vertex at exactly the same position whose normal differs by at most
// about two degrees; itself if there is none before it. `normals` has one unit vector per vertex;
// if it is empty, only positions count. At most sixteen different normals are grouped per position;
// further ones stay by themselves. Throws InputError for a coordinate that is not finite.
std::vector<Index> smooth_groups(const std::vector<Vec3>& positions,
                                 const std::vector<Vec3>& normals);

}  // namespace sinew
