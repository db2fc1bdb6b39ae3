// SPDX-License-Identifier: Apache-2.0
// Endpoint weights of least Laplacian energy.
#pragma once

#include "sinew/core/progress.h"
#include "sinew/weights/detail/bone_domain.h"
#include "sinew/weights/detail/bounded_least.h"
#include "sinew/weights/solved.h"

namespace sinew::detail {

// As Bbw::endpoints from bones and from joints, for weights that fit the mesh. `options` are those
// of the solver; projection takes the place of what could not be tied to a bone's length.
SolvedEndpoints endpoints_along_bones(const BoneDomain& d, const Weights& weights,
                                      const BoundedOptions& options, const Progress& progress);
SolvedEndpoints endpoints_from_joints(const BoneDomain& d, const Weights& weights,
                                      const BoundedOptions& options, const Progress& progress);

}  // namespace sinew::detail
