// SPDX-License-Identifier: Apache-2.0
// Geodesic voxel weights: distances to bones through the inside of the shape.
#pragma once

#include "sinew/core/progress.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/solved.h"

namespace sinew {

// How fine the cells are, and how fast weights fall off.
struct VoxelOptions {
  int resolution = 96;     // cells along the longest side, 8 to 512
  double falloff = 8;      // the power of the distance, in [1, 100]
  double smallest = 1e-5;  // weights below this fraction of the row's largest are dropped
};

// After Dionne and de Lasa 2013. Accepts any triangle soup: open, inside out, overlapping. With d_i
// the length of the shortest path from the vertex to bone i inside the shape, and d the smallest of
// these:
//   w_i ~ r^falloff ((r - 1/4) / (3/4))^2 where r = d / d_i is above 1/4, and 0 where it is not.
// Separate parts that come close to each other do not exchange weights (see detail/voxel_solid.h).
// A bone in no part belongs to the nearest part. A vertex without a triangle belongs to the part
// that it lies in. Vertices in no part, and parts without a bone, take the weights of the nearest
// point of a part that has one. notes.unknowns counts the cells. Throws InputError for an invalid
// mesh or skeleton, UsageError for options out of range.
SolvedWeights voxel_weights(const Mesh& mesh, const Skeleton& skeleton,
                            const VoxelOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
