// SPDX-License-Identifier: Apache-2.0
// The mesh and bones in the form that the bounded biharmonic solvers use.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/detail/domain.h"

namespace sinew::detail {

// A weight below this has no visible effect.
inline constexpr double least_weight = 1e-4;

struct BoneAt {
  int bone = 0;
  double t = 0;
};

// For a flat mesh (geometry/flatness.h) everything is projected to the plane z = 0.
struct BoneDomain {
  Skeleton skeleton;
  std::vector<Vec3> positions;         // of all vertices
  std::vector<Index> node_vertex;      // for each vertex, its vertex in the domain's mesh
  std::vector<Vec3> welded_positions;  // of the domain's mesh
  std::vector<Triangle> triangles;     // of the domain's mesh
  Domain domain;
  std::vector<std::vector<BoneAt>> bones_at;  // for each of the domain's samples
  double on_bone = 0;                         // points no farther than this from a bone lie on it
  std::vector<std::size_t> same_ends;  // for each bone, the first with the same head and tail

  // Whether the bone is at the sample, and no other but those with the same ends.
  bool is_alone(std::size_t sample, std::size_t bone) const;
};

// Uses the mesh's tetrahedra, its triangles if it is flat, or else a lattice of about
// `lattice_nodes` nodes that fills the surface. Mesh and skeleton must be valid, with at least one
// bone.
BoneDomain bone_domain(const Mesh& mesh, const Skeleton& skeleton, std::size_t lattice_nodes,
                       const Progress& progress);

}  // namespace sinew::detail
