// SPDX-License-Identifier: Apache-2.0
// The cotangent Laplacian of any triangle mesh, with no negative weights.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// (L u)_a is the sum of weight * (u_b - u_a) over the edges at a; `areas` is the lumped mass
// matrix.
struct SurfaceLaplacian {
  // Between the vertices a and b.
  struct Edge {
    Index a = 0, b = 0;  // a < b; a pair may occur more than once
    double weight = 0;   // half of the two cotangents, above 0
  };
  std::vector<Edge> edges;
  std::vector<double> areas;  // per vertex: a third of its triangles' area; 0 without triangles
};

// Built on the intrinsic Delaunay triangulation of the surface, so that no weight is negative and
// diffusion obeys the maximum principle (Bobenko and Springborn 2007). Open and non-manifold
// surfaces, and ones with inconsistent winding order, are first glued into a closed two-sided
// surface (the tufted cover of Sharp and Crane 2020). If a triangle has next to no area, all edges
// are lengthened by the same amount, up to 1e-5 of their mean (mollification, ibid.). Vertices are
// connected by index: weld first. Triangles with a repeated corner are ignored. Throws InputError
// for an index out of range or a coordinate that is not finite.
SurfaceLaplacian surface_laplacian(const std::vector<Vec3>& positions,
                                   const std::vector<Triangle>& triangles);

}  // namespace sinew
