// SPDX-License-Identifier: Apache-2.0
// Blend shapes: S = S_0 + sum_k w_k (S_k - S_0) (course notes, eq. 11; docs/sources.md), before
// skinning.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// The mesh's positions, per-vertex normals and tangents with a pose's blend shapes applied. Weights
// may have any sign and size; missing ones count as 0. Normals have unit length (+z where they
// cancel). The mesh must be valid. Throws UsageError for more weights than shapes.
struct ShapedMesh {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;   // empty if the mesh has no per-vertex normals
  std::vector<Vec4> tangents;  // empty if the mesh has none
};
ShapedMesh blend_shapes(const Mesh& mesh, std::span<const double> weights);

// The same into reused memory: allocates nothing if `shaped` held this mesh before.
void blend_shapes(const Mesh& mesh, std::span<const double> weights, ShapedMesh& shaped);

}  // namespace sinew
