// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "sinew/deform/internal/offset_curve/chain.h"
#include "sinew/skin/projection.h"

namespace sinew::offset_curve {
namespace {

// Up to this share of its weight behind a joint, skin takes no part in what stretches there.
constexpr double least_share = 0.3;
// How far behind the joint such skin may be tied, in lengths of the bone there.
constexpr double short_way = 0.4;

// Below this share of its weight behind a joint, skin does not quite reach the joint.
constexpr double tiny_share = 0.055;

// How far behind a joint a place may lie that has the share `behind` of its weight there, in
// lengths of the bone; below 0 how far before it has to stay, in lengths of the bone before.
double leeway(double behind) {
  if (behind >= 0.5) return std::numeric_limits<double>::infinity();
  if (behind < tiny_share) return behind / tiny_share - 1;
  const double more = std::max(behind - least_share, 0.0) / (0.5 - behind);
  return std::min((behind - tiny_share) / (0.2 - tiny_share), 1.0) * short_way + more;
}

// The share of the row's weight that lies on segments from `first` on; 0 where it has no weight.
double share_from(const Chain& chain, std::span<const SkinInfluence> row, std::size_t first) {
  double sum = 0, whole = 0;
  for (const SkinInfluence& influence : row) {
    const int segment = chain.segment_of_bone[influence.bone];
    if (segment >= 0) whole += influence.weight;
    if (segment >= static_cast<int>(first)) sum += influence.weight;
  }
  return whole > 0 ? std::clamp(sum / whole, 0.0, 1.0) : 0.0;
}

// Whether the weights determine where on the chain a point belongs.
bool is_told(const Chain& chain, std::span<const SkinInfluence> row) {
  return chain.segments[0].bone != chain.segments[1].bone && share_from(chain, row, 0) > 0;
}

// The position, or the nearest one that the bone weights allow. It is enough that one joint allows
// it; each joint decides up to the next one.
double allowed(const Chain& chain, std::span<const SkinInfluence> row, double position) {
  const std::vector<Segment>& segments = chain.segments;
  if (!is_told(chain, row)) return position;
  const std::size_t last = segments.size() - 1;
  constexpr double no_limit = std::numeric_limits<double>::infinity();
  double low = segments[last].start, high = segments[1].start;
  for (std::size_t k = 1; k <= last; ++k) {
    const double behind = share_from(chain, row, k);
    const double before = segments[k - 1].length, after = segments[k].length;
    const auto way = [&](double room, double back, double on, bool is_end) {
      if (room < 0) return room * back;
      if (room < 1) return room * on;
      return is_end ? no_limit : on;
    };
    high = std::max(high, segments[k].start + way(leeway(behind), before, after, k == last));
    low = std::min(low, segments[k].start - way(leeway(1 - behind), after, before, k == 1));
  }
  return std::clamp(position, low, high);
}

// A smooth step from 0 at a to 1 at b.
double rise(double value, double a, double b) {
  const double t = std::clamp((value - a) / (b - a), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// The mean over the bones of the row, by weight; 0 where there are none.
template <class Value>
double mean_by_weight(const Chain& chain, std::span<const SkinInfluence> row, const Value& value) {
  double sum = 0, whole = 0;
  for (const SkinInfluence& influence : row) {
    const int k = chain.segment_of_bone[influence.bone];
    if (k < 0) continue;
    sum += influence.weight * value(chain.segments[k]);
    whole += influence.weight;
  }
  return whole > 0 ? sum / whole : 0.0;
}

}  // namespace

double tie_position(const Chain& chain, const Vec3& p, std::span<const SkinInfluence> row,
                    double position) {
  const double place = allowed(chain, row, position);
  const double length = mean_by_weight(chain, row, [](const Segment& s) { return s.length; });
  if (!(length > 0)) return place;
  const double wide = nearest_place(chain, p).distance / length;
  const double to_middle = rise(wide, 1.5, 3);
  const double mean = mean_by_weight(chain, row, [&](const Segment& s) {
    const double t = s.length > 0 ? project_on_segment(p, s.head, s.tail) : 0.0;
    return s.start + (t + (0.5 - t) * to_middle) * s.length;
  });
  return place + (mean - place) * rise(wide, 0.5, 1);
}

double stretch_hold(const Chain& chain, std::span<const SkinInfluence> row, double position) {
  const std::vector<Segment>& segments = chain.segments;
  if (!is_told(chain, row)) return 0;
  std::size_t k = 0;
  while (k + 1 < segments.size() && position >= segments[k + 1].start) ++k;
  if (!(segments[k].length > 0)) return 0;
  const double t = std::clamp((position - segments[k].start) / segments[k].length, 0.0, 1.0);
  // All of it this side of `short_way`, none from the bone's middle on.
  const auto hold = [](double way, double share) {
    const double near = std::clamp((0.5 - way) / (0.5 - short_way), 0.0, 1.0);
    return near * std::clamp((0.5 - share) / (0.5 - least_share), 0.0, 1.0);
  };
  if (t < 0.5) return k == 0 ? 0.0 : hold(t, share_from(chain, row, k));
  return k + 1 == segments.size() ? 0.0 : -hold(1 - t, 1 - share_from(chain, row, k + 1));
}

}  // namespace sinew::offset_curve
