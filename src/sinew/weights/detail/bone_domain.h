// SPDX-License-Identifier: Apache-2.0
// A mesh and its bones as bounded biharmonic functions see them.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/detail/domain.h"

namespace sinew::detail {

// A weight below this moves nothing that could be seen.
inline constexpr double least_weight = 1e-4;

struct BoneAt {
  int bone = 0;
  double t = 0;
};

// Of a flat mesh (geometry/flatness.h) everything lies in the plane z = 0, heights left out.
struct BoneDomain {
  Skeleton skeleton;
  std::vector<Vec3> positions;         // of all vertices
  std::vector<Index> node_vertex;      // for each vertex, the one of the domain's mesh
  std::vector<Vec3> welded_positions;  // of the domain's mesh
  std::vector<Triangle> triangles;     // of the domain's mesh
  Domain domain;
  std::vector<std::vector<BoneAt>> bones_at;  // for each of the domain's samples
  double on_bone = 0;                         // what is no farther from a bone lies on it
};

// The mesh's tetrahedra, its triangles where it is flat, or a lattice with about so many nodes that
// fills its surface. Mesh and skeleton are valid, and there is a bone.
BoneDomain bone_domain(const Mesh& mesh, const Skeleton& skeleton, std::size_t lattice_nodes,
                       const Progress& progress);

}  // namespace sinew::detail
