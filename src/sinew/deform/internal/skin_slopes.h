// SPDX-License-Identifier: Apache-2.0
// How what ties the vertices to the bones changes along the surface.
#pragma once

#include <vector>

#include "sinew/deform/skin_rows.h"
#include "sinew/mesh/adjacency.h"

namespace sinew {

// One bone at a vertex, and the gradients there, in mesh space.
struct SkinSlope {
  SkinInfluence at;  // its weight is 0 where only neighbours have the bone
  Vec3 weight, stretch, twist;
  double known_area = 0;  // twice that of the triangles that the last two come from
};

// Weights and endpoint weights are linear on the triangles; at a vertex their gradients are
// averaged by area. Endpoint weights are known only where a bone has weight: triangles that lack
// one leave its slope out. Vertices at one place that share a normal share their triangles, so that
// seams of UVs do not show; where normals differ, each side has its own.
class SkinSlopes {
 public:
  // One normal per vertex. All but the normals must outlive this.
  SkinSlopes(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
             const std::vector<Vec3>& normals, const SkinRows& rows);

  // Those of the vertex's own bones first, in the order of its row, then those that its neighbours
  // have. None where it is tied to nothing: it stays, whatever its neighbours do.
  void at(std::size_t vertex, std::vector<SkinSlope>& slopes) const;

 private:
  const std::vector<Vec3>& positions_;
  const std::vector<Triangle>& triangles_;
  const SkinRows& rows_;
  std::vector<Index> group_of_;
  Adjacency triangles_at_;  // of the groups' first vertices
};

}  // namespace sinew
