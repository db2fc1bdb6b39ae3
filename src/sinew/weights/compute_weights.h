// SPDX-License-Identifier: Apache-2.0
// Computes weights of a mesh for a skeleton by any automatic method, chosen at run time.
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

// The method with default options: bbw, heat, voxel, shepard, idw or rigid. Throws UsageError
// listing the names.
WeightMethod weight_method_from_name(std::string_view name);
// bbw, heat, idw, projection.
EndpointMethod endpoint_method_from_name(std::string_view name);

struct ComputedWeights {
  Skin skin;
  SolveNotes bones, endpoints;
};

// Computes bone weights by `method`, or keeps `kept` if no method is given, and endpoint weights by
// `endpoints`, if given. If both are bounded biharmonic, they share one domain (built with the bone
// weights' options). Throws as the methods do, and InputError where `kept` does not fit the mesh.
ComputedWeights compute_weights(const Mesh& mesh, const Skeleton& skeleton, const std::optional<WeightMethod>& method,
              const std::optional<EndpointMethod>& endpoints, const Weights& kept = {},
              const Progress& progress = {});

}  // namespace sinew
