// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sinew/deform/offset_curve/chain.h"
#include "sinew/skin/projection.h"

namespace sinew::offset_curve {
namespace {

// The position with these bone weights, or as near to it as they let it be.
double allowed(const Chain& chain, std::span<const SkinInfluence> row, double position) {
  const auto weight_from = [&](std::size_t first) {
    double sum = 0;
    for (const SkinInfluence& influence : row) {
      const int segment = chain.segment_of_bone[influence.bone];
      if (segment >= static_cast<int>(first)) sum += influence.weight;
    }
    return sum;
  };
  const double whole = weight_from(0);
  if (!(whole > 0)) return position;
  double result = position;
  for (std::size_t k = 0; k + 1 < chain.segments.size(); ++k) {
    const Segment& before = chain.segments[k];
    const Segment& after = chain.segments[k + 1];
    if (before.bone == after.bone) continue;
    const double behind = std::clamp(weight_from(k + 1) / whole, 0.0, 1.0);
    if (behind > 0.5) {
      const double low = after.start - (1 - behind) / (2 * behind - 1) * before.length;
      if (position >= low) continue;
      result = std::max(result, std::min(2 * low - position, after.start));
    } else if (behind < 0.5) {
      const double high = after.start + behind / (1 - 2 * behind) * after.length;
      if (position <= high) continue;
      result = std::min(result, std::max(2 * high - position, after.start));
    }
  }
  return result;
}

// The mean of the nearest places on the bones, and of their lengths, by weight.
struct Mean {
  double position = 0, length = 0;
};
Mean mean_by_weight(const Chain& chain, const Vec3& p, std::span<const SkinInfluence> row) {
  Mean mean;
  double whole = 0;
  for (const SkinInfluence& influence : row) {
    const int k = chain.segment_of_bone[influence.bone];
    if (k < 0) continue;
    const Segment& segment = chain.segments[k];
    const double t = segment.length > 0 ? project_on_segment(p, segment.head, segment.tail) : 0.0;
    mean.position += influence.weight * (segment.start + t * segment.length);
    mean.length += influence.weight * segment.length;
    whole += influence.weight;
  }
  if (!(whole > 0)) return {};
  return {mean.position / whole, mean.length / whole};
}

}  // namespace

double tie_position(const Chain& chain, const Vec3& p, std::span<const SkinInfluence> row,
                    double position) {
  const double place = allowed(chain, row, position);
  const Mean mean = mean_by_weight(chain, p, row);
  if (!(mean.length > 0)) return place;
  // From half of the bones' length on, up to all of it.
  const double wide = std::clamp(2 * nearest_place(chain, p).distance / mean.length - 1, 0.0, 1.0);
  return place + (mean.position - place) * (wide * wide * (3 - 2 * wide));
}

}  // namespace sinew::offset_curve
