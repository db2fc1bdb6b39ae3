// SPDX-License-Identifier: Apache-2.0
// Bone weights together with the endpoint weights that run beside them.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/skin/weights.h"

namespace sinew {

// What editing works on, so that endpoint weights never part from their influences. The two arrays
// have one number in [0, 1] for each of weights.influences, or none at all (as in Rig).
struct SkinWeights {
  Weights weights;
  std::vector<double> endpoints;
  std::vector<double> twist_endpoints;

  friend bool operator==(const SkinWeights&, const SkinWeights&) = default;
};

// Throws InputError naming the first vertex that breaks a rule (see weights.h).
void validate(const SkinWeights& skin, std::size_t vertex_count, std::size_t bone_count);

}  // namespace sinew
