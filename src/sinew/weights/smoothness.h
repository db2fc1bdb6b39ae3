// SPDX-License-Identifier: Apache-2.0
// How rough weights are over the surface.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/skin/weights.h"

namespace sinew {

// For each bone, half the integral over the surface of the squared gradient of its weight, linear
// in each triangle of the welded mesh (this is the cotangent Laplacian's form). It has no unit:
// neither the mesh's size nor, once it is fine enough, its resolution changes it. A triangle
// flatter than a hundredth of its longest edge counts as if it were that high, so that needles
// neither dominate nor turn out negative; triangles of no size count nothing. Throws InputError for
// weights that do not fit the mesh and `bone_count`, and for a mesh with an index out of range.
std::vector<double> dirichlet_energy(const Mesh& mesh, const Weights& weights,
                                     std::size_t bone_count);

}  // namespace sinew
