// SPDX-License-Identifier: Apache-2.0
// What the functions of the same names do, in a scene that several of them share.
#pragma once

#include "sinew/weights/bleeding.h"
#include "sinew/weights/compute_weights.h"
#include "sinew/weights/detail/bone_scene.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/report.h"

namespace sinew::detail {

SolvedWeights heat_weights(BoneScene& scene, const HeatOptions& options, const Progress& progress);
SolvedEndpoints heat_endpoints(BoneScene& scene, const Weights& weights, const HeatOptions& options,
                               const Progress& progress);
ComputedWeights compute_weights(BoneScene& scene, const std::optional<WeightMethod>& method,
                                const std::optional<EndpointMethod>& endpoints, const Weights& kept,
                                const Progress& progress);
Bleeding find_bleeding(BoneScene& scene, const Weights& weights);
WeightReport make_report(BoneScene& scene, const Skin& skin, const SolveNotes& solve,
                         const SolveNotes& solve_endpoints);

}  // namespace sinew::detail
