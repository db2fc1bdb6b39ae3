// SPDX-License-Identifier: Apache-2.0
// Carries endpoint weights over to other bone weights of the same mesh and skeleton.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/skin.h"

namespace sinew {

// Endpoint weights of the new influences, and where they are from.
struct CarriedEndpoints {
  std::vector<double> endpoints;  // one for each influence of the new weights; empty if none were
  std::size_t kept = 0;           // influences of bones that moved the vertex before
  std::size_t added = 0;          // influences that are new
};

// Where a bone still moves a vertex, its endpoint weight there stays; a new influence gets the
// value of `otherwise`, which has one for each influence of `after`. If a bone is in a row of
// `before` twice, the first counts. Throws UsageError if the two do not have the same number of
// vertices, or either list has the wrong length (`endpoints` may be empty).
CarriedEndpoints carry_endpoints(const Weights& before, std::span<const double> endpoints,
                                 const Weights& after, std::span<const double> otherwise);

// What was kept of both kinds of endpoint weights.
struct CarriedSkin {
  std::size_t kept_endpoints = 0, added_endpoints = 0;
  std::size_t kept_twist_endpoints = 0, added_twist_endpoints = 0;
};

// Gives the skin other bone weights, and leaves alone what these do not determine: endpoint weights
// and twist endpoint weights are carried over. New influences get endpoint weights by projection,
// and for the twist those of the stretch. `endpoints`, unless empty, replace the endpoint weights
// instead. Throws as carry_endpoints() and projection_endpoints().
CarriedSkin replace_weights(Skin& skin, Weights weights, std::vector<double> endpoints,
                            std::span<const Vec3> positions, const Skeleton& skeleton);

}  // namespace sinew
