// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/rigid.h"

#include "sinew/core/parallel.h"
#include "sinew/weights/detail/unit_space.h"

namespace sinew {

Weights rigid_weights(std::span<const Vec3> positions, const Skeleton& skeleton) {
  const detail::UnitSpace space = detail::unit_space(positions, skeleton);
  const std::vector<detail::Segment> segments = detail::bone_segments(space, skeleton);
  Weights weights;
  weights.offsets.resize(positions.size() + 1);
  weights.influences.resize(positions.size());
  parallel_for(positions.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3 p = space.to_unit(positions[v]);
      int nearest = 0;
      double squared = distance_squared(segments[0], p);
      for (std::size_t b = 1; b < segments.size(); ++b) {
        const double other = distance_squared(segments[b], p);
        // A later bone must be nearer by more than rounding.
        if (other < squared * (1 - 2e-9) && squared > space.rounding * space.rounding) {
          nearest = static_cast<int>(b);
          squared = other;
        }
      }
      weights.influences[v] = {nearest, 1.0};
      weights.offsets[v + 1] = v + 1;
    }
  });
  return weights;
}

}  // namespace sinew
