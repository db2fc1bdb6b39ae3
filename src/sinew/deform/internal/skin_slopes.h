// SPDX-License-Identifier: Apache-2.0
// Gradients of weights and endpoint weights along the surface.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/deform/skin_rows.h"
#include "sinew/mesh/adjacency.h"

namespace sinew {

// One influence of a vertex, and its gradients there, in mesh space.
struct SkinSlope {
  SkinInfluence at;  // its weight is 0 if only neighbours have the bone
  Vec3 weight, stretch, twist;
  double known_area = 0;  // twice the area of the triangles behind the last two
};

// Weights and endpoint weights are linear on the triangles; at a vertex their gradients are
// averaged by area. Endpoint weights are defined only where the bone has weight, so a triangle with
// a corner where it has none does not contribute. Vertices with the same position and normal share
// their triangles, so that UV seams do not show; at hard edges each side has its own.
class SkinSlopes {
 public:
  // One normal per vertex. All arguments but the normals must outlive this.
  SkinSlopes(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
             const std::vector<Vec3>& normals, const SkinRows& rows);

  // Memory for at(), to be used again from one vertex to the next: the triangles about it and their
  // corners.
  struct Fan {
    struct Corner {
      Index vertex = 0;
      Vec3 gradient;  // of what is 1 here and 0 at all others, times the area
    };
    struct Side {
      std::array<std::uint32_t, 3> corners{};
      std::array<Vec3, 3> hats;  // the gradients of its hat functions, times twice its area
      double twice_area = 0;
    };
    std::vector<Corner> corners;
    std::vector<Side> sides;                       // only where a bone is missing at a corner
    std::vector<const SkinInfluence*> influences;  // per slope and corner; null: none
  };

  // First the vertex's own bones, in the order of its row, then those that only its neighbours
  // have. Empty for a vertex without influences, which does not move.
  void at(std::size_t vertex, std::vector<SkinSlope>& slopes, Fan& fan) const;

 private:
  template <class Use>
  double each_side(std::size_t vertex, const Use& use) const;
  void add_endpoints(std::size_t vertex, Fan& fan, std::span<const SkinInfluence* const> influences,
                     double area, SkinSlope& slope) const;

  const std::vector<Vec3>& positions_;
  const std::vector<Triangle>& triangles_;
  const SkinRows& rows_;
  bool has_twists_;  // endpoint weights of the twist that differ from those of the stretch
  std::vector<Index> group_of_;
  Adjacency triangles_at_;  // per group, stored at its first vertex
};

}  // namespace sinew
