// SPDX-License-Identifier: Apache-2.0
#include "sinew/skin/projection.h"

#include "sinew/core/parallel.h"
#include "sinew/mesh/triangle.h"

namespace sinew {

double project_on_segment(const Vec3& p, const Vec3& head, const Vec3& tail) {
  return closest_on_segment(p, head, tail);
}

std::vector<double> projection_endpoints(std::span<const Vec3> positions, const Skeleton& skeleton,
                                         const Weights& weights) {
  validate(weights, positions.size(), skeleton.bones.size());
  std::vector<double> endpoints(weights.influences.size());
  parallel_for(weights.vertex_count(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
        const Bone& bone = skeleton.bones[weights.influences[i].bone];
        endpoints[i] = project_on_segment(positions[v], bone.head, bone.tail);
      }
    }
  });
  return endpoints;
}

}  // namespace sinew
