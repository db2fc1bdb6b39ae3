// SPDX-License-Identifier: Apache-2.0
// Smooths bone weights and endpoint weights along the surface.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/skin/skin.h"
#include "sinew/weights/locks.h"

namespace sinew {

// What is smoothed, and how much.
struct SmoothOptions {
  double strength = 0.5;  // how far a vertex moves towards the mean of its neighbours, in [0, 1]
  std::size_t iterations = 1;
  bool bone_weights = true;
  bool endpoints = false;          // also smooth the endpoint weights, if there are any
  Locks locks = {};                // these bones keep their weights and endpoint weights
  std::size_t max_influences = 0;  // rows are pruned to this (see prune.h) at the end; 0: no limit
  // The vertices that change, one for each of the mesh; empty: all. The others are neighbours as
  // any. Where only some copies of a vertex are marked, it does not change, so that no crack opens.
  std::vector<bool> where = {};
};

// Laplacian smoothing along the edges of the welded mesh (equal coordinates are one vertex) and of
// its tetrahedra: all vertices at once, all neighbours with equal weight. Nothing passes between
// parts that share no edge. Rows sum to 1 afterwards. A vertex without weights gets the mean of its
// neighbours, if they have any; vertices without neighbours do not change. Copies of a vertex start
// from their mean and end with the same row. A bone new to a vertex gets the endpoint weight of the
// neighbours; bones whose weight becomes 0 leave the row. Filters and blend shares stay. Throws
// UsageError for a strength outside [0, 1] and a wrong number of marks, InputError for weights that
// do not fit the mesh.
Skin smooth(const Mesh& mesh, const Skin& skin, const SmoothOptions& options = {});

}  // namespace sinew
