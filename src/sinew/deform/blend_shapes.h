// SPDX-License-Identifier: Apache-2.0
// Blend shapes: S = S_0 + sum_k w_k (S_k - S_0) (course notes, eq. 11; docs/sources.md), before
// skinning.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// What a pose's blend-shape weights (any sign and size; those left out count as 0) make of the
// mesh's positions, per-vertex normals (at unit length; +z where they cancel) and tangents. The
// mesh must be valid. Throws UsageError for more weights than it has shapes.
struct ShapedMesh {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;   // empty if the mesh has none per vertex
  std::vector<Vec4> tangents;  // empty if the mesh has none
};
ShapedMesh blend_shapes(const Mesh& mesh, std::span<const double> weights);

// The same into memory that is used again: allocates nothing where it held this mesh before.
void blend_shapes(const Mesh& mesh, std::span<const double> weights, ShapedMesh& shaped);

}  // namespace sinew
