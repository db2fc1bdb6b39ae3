// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/projection.h"

#include <algorithm>

namespace sinew {

double project_on_segment(const Vec3& p, const Vec3& head, const Vec3& tail) {
  const Vec3 d = tail - head;
  return std::clamp(dot(p - head, d) / dot(d, d), 0.0, 1.0);
}

std::vector<double> projection_endpoints(std::span<const Vec3> positions, const Skeleton& skeleton,
                                         const Weights& weights) {
  std::vector<double> endpoints;
  endpoints.reserve(weights.influences.size());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    for (const Influence& influence : weights.row(v)) {
      const Bone& bone = skeleton.bones[static_cast<std::size_t>(influence.bone)];
      endpoints.push_back(project_on_segment(positions[v], bone.head, bone.tail));
    }
  }
  return endpoints;
}

}  // namespace sinew
