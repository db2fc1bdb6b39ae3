// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/inverse_distance.h"

#include <array>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/weights/bone_ends.h"
#include "sinew/weights/detail/collect_rows.h"
#include "sinew/weights/detail/inverse_power.h"
#include "sinew/weights/detail/require.h"
#include "sinew/weights/detail/unit_space.h"

namespace sinew {
namespace {

void require_alpha(double alpha) {
  if (!(alpha >= 2 && alpha <= 1000)) {
    throw UsageError(fmt::format("alpha is {}; it must be between 2 and 1000", alpha));
  }
}

}  // namespace

Weights inverse_distance_weights(std::span<const Vec3> positions, const Skeleton& skeleton,
                                 const InverseDistanceOptions& options) {
  require_alpha(options.alpha);
  detail::require_smallest(options.smallest);
  const detail::UnitSpace space = detail::unit_space(positions, skeleton);
  const std::vector<detail::Segment> segments = detail::bone_segments(space, skeleton);
  return detail::collect_rows(
      positions.size(), [&] { return std::vector<double>(segments.size()); },
      [&](std::size_t v, std::vector<Influence>& influences, std::vector<double>& share) {
        const Vec3 p = space.to_unit(positions[v]);
        for (std::size_t b = 0; b < segments.size(); ++b) {
          share[b] = distance_squared(segments[b], p);
        }
        detail::invert_distances(share, options.alpha, space.rounding);
        const std::size_t first = influences.size();
        for (std::size_t b = 0; b < segments.size(); ++b) {
          if (share[b] >= options.smallest) influences.push_back({static_cast<int>(b), share[b]});
        }
        detail::finish_row(influences, first, options.smallest);
      });
}

std::vector<double> inverse_distance_endpoints(std::span<const Vec3> positions,
                                               const Skeleton& skeleton, const Weights& weights,
                                               const InverseDistanceEndpointOptions& options) {
  require_alpha(options.alpha);
  const detail::UnitSpace space = detail::unit_space(positions, skeleton);
  validate(weights, positions.size(), skeleton.bones.size());
  BoneEnds joints = bone_ends(skeleton);
  for (Vec3& p : joints.points) p = space.to_unit(p);
  std::vector<double> endpoints(weights.influences.size());
  parallel_for(positions.size(), 4096, [&](std::size_t begin, std::size_t end) {
    std::vector<double> all;
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3 p = space.to_unit(positions[v]);
      const auto squared = [&](int joint) { return length_squared(p - joints.points[joint]); };
      double total = 0;
      if (options.joints == JointSet::all) {
        all.clear();
        for (const Vec3& joint : joints.points) all.push_back(length_squared(p - joint));
        detail::invert_distances(all, options.alpha, space.rounding);
        for (const double share : all) total += share;
      }
      for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
        const auto [head, tail] = joints.bones[weights.influences[i].bone];
        if (options.joints == JointSet::all) {
          const double start = all[head] / total;
          const double stop = all[tail] / total;
          endpoints[i] = ((1 - start) + stop) / 2;
        } else {
          std::array<double, 2> share = {squared(head), squared(tail)};
          detail::invert_distances(share, options.alpha, space.rounding);
          endpoints[i] = share[1] / (share[0] + share[1]);
        }
      }
    }
  });
  return endpoints;
}

}  // namespace sinew
