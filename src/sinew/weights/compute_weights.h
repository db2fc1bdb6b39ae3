// SPDX-License-Identifier: Apache-2.0
// Any of the automatic methods, chosen at run time: weigh a mesh for a skeleton.
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "sinew/core/progress.h"
#include "sinew/skin/skin.h"
#include "sinew/weights/bbw.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/inverse_distance.h"
#include "sinew/weights/shepard.h"
#include "sinew/weights/solved.h"
#include "sinew/weights/voxel.h"

namespace sinew {

struct RigidOptions {};

using WeightMethod = std::variant<BbwOptions, HeatOptions, VoxelOptions, ShepardOptions,
                                  InverseDistanceOptions, RigidOptions>;

struct ProjectionOptions {};

struct BbwEndpointOptions {
  BbwOptions bbw;
  EndpointSource source = EndpointSource::bones;
};

using EndpointMethod = std::variant<BbwEndpointOptions, HeatOptions, InverseDistanceEndpointOptions,
                                    ProjectionOptions>;

// With default options: bbw, heat, voxel, shepard, idw, rigid. Throws UsageError listing the names.
WeightMethod weight_method_from_name(std::string_view name);
// bbw, heat, idw, projection.
EndpointMethod endpoint_method_from_name(std::string_view name);

struct ComputedWeights {
  Skin skin;
  SolveNotes bones, endpoints;
};

// Bone weights by `method`, or `kept` where there is none; endpoint weights by `endpoints`, or
// none. Where both are bounded biharmonic, they share the domain (that of the bone weights'
// options). Throws as the methods do, and InputError where `kept` does not fit the mesh.
ComputedWeights compute_weights(const Mesh& mesh, const Skeleton& skeleton,
                                const std::optional<WeightMethod>& method,
                                const std::optional<EndpointMethod>& endpoints,
                                const Weights& kept = {}, const Progress& progress = {});

}  // namespace sinew
