// SPDX-License-Identifier: Apache-2.0
// The cotangent Laplacian of any triangle mesh, without negative weights.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// (L u)_a = sum over the edges of a of weight * (u_b - u_a), and `areas` the lumped mass matrix.
struct SurfaceLaplacian {
  // Between the vertices a and b.
  struct Edge {
    Index a = 0, b = 0;  // a < b; a pair may come more than once
    double weight = 0;   // half of the two cotangents, above 0
  };
  std::vector<Edge> edges;
  std::vector<double> areas;  // of each vertex: a third of its triangles; 0 without triangles
};

// On the intrinsic Delaunay triangulation of the surface, so that no weight is negative and the
// solution of a diffusion stays within its sources (Bobenko and Springborn 2007). Open and
// non-manifold surfaces and ones whose faces are turned at random are glued into a closed surface
// with two sides first (the tufted cover of Sharp and Crane 2020). Triangles without area get some
// by lengthening all edges by at most 1e-5 of their mean (their mollification). Vertices are joined
// by index: weld first. Triangles with the same corner twice are left out. Throws InputError for an
// index out of range or a coordinate that is not finite.
SurfaceLaplacian surface_laplacian(const std::vector<Vec3>& positions,
                                   const std::vector<Triangle>& triangles);

}  // namespace sinew
