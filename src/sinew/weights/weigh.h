// SPDX-License-Identifier: Apache-2.0
// Any of the automatic methods, chosen at run time: weigh a mesh for a skeleton.
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "sinew/core/progress.h"
#include "sinew/weights/bbw.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/inverse_distance.h"
#include "sinew/weights/shepard.h"
#include "sinew/weights/skin_weights.h"
#include "sinew/weights/solved.h"
#include "sinew/weights/voxel.h"

namespace sinew {

// Each vertex follows one bone (rigid.h).
struct RigidOptions {};

// A method for bone weights, with its options.
using WeightMethod = std::variant<BbwOptions, HeatOptions, VoxelOptions, ShepardOptions,
                                  InverseDistanceOptions, RigidOptions>;

// The place along each bone (skin/projection.h).
struct ProjectionOptions {};

// Bounded biharmonic endpoint weights.
struct BbwEndpointOptions {
  BbwOptions bbw;
  EndpointSource source = EndpointSource::bones;
};

// A method for endpoint weights, with its options.
using EndpointMethod = std::variant<BbwEndpointOptions, HeatOptions, InverseDistanceEndpointOptions,
                                    ProjectionOptions>;

// With default options: bbw, heat, voxel, shepard, idw, rigid. Throws UsageError listing the names.
WeightMethod weight_method_from_name(std::string_view name);
// bbw, heat, idw, projection.
EndpointMethod endpoint_method_from_name(std::string_view name);

// The weights, and what is to be known of how they were solved for.
struct Weighed {
  SkinWeights skin;
  SolveNotes bones, endpoints;
};

// Bone weights by `method`, or `kept` where there is none; endpoint weights by `endpoints`, or
// none. Where both are bounded biharmonic, they share the domain (that of the bone weights'
// options). Throws as the methods do, and InputError where `kept` does not fit the mesh.
Weighed weigh(const Mesh& mesh, const Skeleton& skeleton, const std::optional<WeightMethod>& method,
              const std::optional<EndpointMethod>& endpoints, const Weights& kept = {},
              const Progress& progress = {});

}  // namespace sinew
