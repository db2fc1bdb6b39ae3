// SPDX-License-Identifier: Apache-2.0
// Smoothing of bone weights and endpoint weights along the surface.
#pragma once

#include <cstddef>

#include "sinew/mesh/mesh.h"
#include "sinew/weights/locks.h"
#include "sinew/weights/skin_weights.h"

namespace sinew {

// What is smoothed, and how much.
struct SmoothOptions {
  double strength = 0.5;  // how far a vertex goes towards the mean of its neighbours, in [0, 1]
  std::size_t iterations = 1;
  bool bone_weights = true;
  bool endpoints = false;          // also the endpoint weights, where there are any
  Locks locks = {};                // these bones keep their weights and endpoint weights
  std::size_t max_influences = 0;  // 0: as many as there are; otherwise pruned in the end
};

// Laplacian smoothing along the edges of the welded mesh (equal coordinates are one vertex) and of
// its tetrahedra: all vertices at once, every neighbour counting alike. Nothing passes between
// parts that share no edge. Rows sum to 1 afterwards; a vertex without weights gets the mean of its
// neighbours, if these have any, and vertices without neighbours stay as they are. Copies of a
// vertex end up with the same row, starting from their mean. A bone that comes to a vertex brings
// its neighbours' endpoint weight; bones with weight 0 leave it. Throws UsageError for a strength
// outside [0, 1], InputError for weights that do not fit the mesh.
SkinWeights smooth(const Mesh& mesh, const SkinWeights& skin, const SmoothOptions& options = {});

}  // namespace sinew
