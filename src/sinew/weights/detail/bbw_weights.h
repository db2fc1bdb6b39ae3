// SPDX-License-Identifier: Apache-2.0
// Bone weights of least Laplacian energy.
#pragma once

#include <vector>

#include "sinew/core/progress.h"
#include "sinew/weights/detail/bone_domain.h"
#include "sinew/weights/detail/held_solve.h"
#include "sinew/weights/solved.h"

namespace sinew::detail {

// A connected part of the domain, and the values that bones prescribe in it.
struct WeightPiece {
  Piece piece;
  std::vector<int> bones;                    // ascending; a column each
  std::vector<std::vector<Target>> targets;  // for each of piece.samples
};

// The connected parts that contain a bone, in the order of their first element.
std::vector<WeightPiece> weight_pieces(const BoneDomain& d);

// Implements Bbw::weights.
SolvedWeights bbw_weights(const BoneDomain& d, const BoundedOptions& options,
                          const Progress& progress);

}  // namespace sinew::detail
