// SPDX-License-Identifier: Apache-2.0
// Measures how rough weights are over the surface.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/skin/weights.h"

namespace sinew {

// For each bone, half the integral over the surface of the squared gradient of its weight,
// interpolated linearly in each triangle of the welded mesh (the quadratic form of the cotangent
// Laplacian). It is dimensionless: it does not depend on the mesh's size nor, for a fine enough
// mesh, on its resolution. A triangle whose height is below a hundredth of its longest edge counts
// as if it were that high, so that slivers neither dominate nor contribute negative values;
// triangles of size 0 are ignored. Throws InputError for weights that do not fit the mesh and
// `bone_count`, and for a mesh with an index out of range.
std::vector<double> dirichlet_energy(const Mesh& mesh, const Weights& weights,
                                     std::size_t bone_count);
// The same; `kept` are the triangles of the welded mesh (mesh/weld.h).
std::vector<double> dirichlet_energy(const Mesh& mesh, std::span<const Index> kept,
                                     const Weights& weights, std::size_t bone_count);

}  // namespace sinew
