// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/skin_weights.h"

namespace sinew {

void validate(const SkinWeights& skin, std::size_t vertex_count, std::size_t bone_count) {
  validate(skin.weights, vertex_count, bone_count);
  validate_endpoints(skin.weights, skin.endpoints, "endpoint weight");
  validate_endpoints(skin.weights, skin.twist_endpoints, "twist endpoint weight");
}

}  // namespace sinew
