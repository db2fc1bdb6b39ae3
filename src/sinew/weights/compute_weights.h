// SPDX-License-Identifier: Apache-2.0
// Computes weights of a mesh for a skeleton by any automatic method, chosen at run time.
#pragma once

#include <optional>
#include <span>
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

// The method with default options: bbw, heat, voxel, shepard, idw or rigid. Throws UsageError
// listing the names.
WeightMethod weight_method_from_name(std::string_view name);
// bbw, heat, idw, projection.
EndpointMethod endpoint_method_from_name(std::string_view name);
// The names that these two know.
std::span<const std::string_view> weight_method_names();
std::span<const std::string_view> endpoint_method_names();

// The weights, and what is to be known of how they were solved for.
struct ComputedWeights {
  Skin skin;
  SolveNotes bones, endpoints;
};

// Computes bone weights by `method`, or keeps `kept` if no method is given, and endpoint weights by
// `endpoints`, if given. If both are bounded biharmonic, they share one domain (built with the bone
// weights' options). Throws as the methods do, and InputError where `kept` does not fit the mesh.
ComputedWeights compute_weights(const Mesh& mesh, const Skeleton& skeleton,
                                const std::optional<WeightMethod>& method,
                                const std::optional<EndpointMethod>& endpoints,
                                const Weights& kept = {}, const Progress& progress = {});

}  // namespace sinew
