// SPDX-License-Identifier: Apache-2.0
// Bone weights together with the endpoint weights of the same influences.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/skin/weights.h"

namespace sinew {

// The value that weight editing works on, so that endpoint weights stay with their influences. Each
// endpoint array has one number in [0, 1] per entry of weights.influences, or is empty (as in Rig).
struct SkinWeights {
  Weights weights;
  std::vector<double> endpoints;
  std::vector<double> twist_endpoints;

  friend bool operator==(const SkinWeights&, const SkinWeights&) = default;
};

// Throws InputError naming the first invalid vertex (see weights.h).
void validate(const SkinWeights& skin, std::size_t vertex_count, std::size_t bone_count);

}  // namespace sinew
