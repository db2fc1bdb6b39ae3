// SPDX-License-Identifier: Apache-2.0
// Bone heat (Baran and Popovic 2007), for bones and for joints.
#pragma once

#include "sinew/core/progress.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/solved.h"

namespace sinew {

// How bones and skin exchange heat.
struct HeatOptions {
  double c = 1;  // how much heat bones emit, in [1e-3, 1e6]; large values are close to rigid
  double smallest = 1e-5;  // weights below this fraction of the row's largest are dropped
};

// Solves (-L + H) w_i = H p_i on the surface, with H = c / d^2, d the distance to the nearest bone
// that the vertex sees, and p_i 1 for that bone and 0 for the others; equally near ones share it. H
// counts over all triangles of a vertex, as in the authors' program (three times the lumped area),
// and is 0 where no bone is visible (weights/detail/heat_sources.h says what that is). L is
// mesh/laplacian.h on the welded mesh, so any triangle soup is accepted and weights lie in [0, 1]
// by construction; all bones share one factorisation. A part of the surface where no or hardly any
// vertex sees a bone uses each vertex's nearest bones, visible or not; the notes say so. The
// residual is that of the equations before small weights are dropped. Throws InputError for an
// invalid mesh or skeleton, UsageError for options out of range.
SolvedWeights heat_weights(const Mesh& mesh, const Skeleton& skeleton,
                           const HeatOptions& options = {}, const Progress& progress = {});

// Endpoint weights from joint weights (Jacobson and Sorkine 2011, eq. 7), e = ((1 - j_a) + j_b) /
// 2: the heat of joints, which are the ends of bones (weights/bone_ends.h) as bones shrunk to
// points. Exactly 0 at the head and 1 at the tail; beyond the ends they fall off from 0 and 1
// (ibid., fig. 8). Throws as above, and InputError where there is not one row of weights per
// vertex.
SolvedEndpoints heat_endpoints(const Mesh& mesh, const Skeleton& skeleton, const Weights& weights,
                               const HeatOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
