// SPDX-License-Identifier: Apache-2.0
// Endpoint weights of least Laplacian energy.
#pragma once

#include "sinew/core/progress.h"
#include "sinew/weights/detail/bone_domain.h"
#include "sinew/weights/detail/bounded_least.h"
#include "sinew/weights/solved.h"

namespace sinew::detail {

// Implement Bbw::endpoints from bones and from joints, for weights that fit the mesh. `options` are
// for the solver. Where nothing ties the function to positions along a bone, projection is used.
SolvedEndpoints endpoints_along_bones(const BoneDomain& d, const Weights& weights,
                                      const BoundedOptions& options, const Progress& progress);
SolvedEndpoints endpoints_from_joints(const BoneDomain& d, const Weights& weights,
                                      const BoundedOptions& options, const Progress& progress);

}  // namespace sinew::detail
