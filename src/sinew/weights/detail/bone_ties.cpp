// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/bone_ties.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sinew/mesh/triangle.h"

namespace sinew::detail {
namespace {

// No more ties than this, however long the bone is.
constexpr double most_ties = 512;
// Points of a bone that are tried for being inside.
constexpr int stretch_probes = 32;
// Of a bone's length.
constexpr double least_stretch = 0.25;

struct TieCandidate {
  double distance = std::numeric_limits<double>::infinity();
  Vec3 point;
  std::size_t triangle = 0;
};

// The nearest to `from` of the points of a triangle that have the parameter t, given those of its
// corners.
void look_across(const std::array<Vec3, 3>& corners, const std::array<double, 3>& place, double t,
                 const Vec3& from, std::size_t triangle, TieCandidate& best) {
  std::array<Vec3, 3> ends;
  std::size_t count = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (place[i] == t) ends[count++] = corners[i];
    if ((place[i] < t) != (place[j] < t) && place[i] != t && place[j] != t) {
      ends[count++] = lerp(corners[i], corners[j], (t - place[i]) / (place[j] - place[i]));
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 &a = ends[i], &b = ends[(i + 1) % count];
    const Vec3 point = lerp(a, b, closest_on_segment(from, a, b));
    const double d = distance(from, point);
    if (d < best.distance) best = {d, point, triangle};
  }
}

}  // namespace

std::vector<BoneTie> ties_beside(const std::vector<Vec3>& positions,
                                 std::span<const Triangle> triangles, const Vec3& head,
                                 const Vec3& tail, double step, const Beside& stretch) {
  const Vec3 way = tail - head;
  const double length = distance(head, tail);
  const auto place_of = [&](const Vec3& p) { return dot(p - head, way) / (length * length); };
  double low = 1, high = 0;
  for (const Triangle& t : triangles) {
    for (const Index v : t) {
      const double place = place_of(positions[v]);
      low = std::min(low, place);
      high = std::max(high, place);
    }
  }
  low = std::max(low, stretch.from);
  high = std::min(high, stretch.to);
  if (!(low < high)) return {};
  const auto steps =
      static_cast<std::size_t>(std::clamp(std::ceil((high - low) * length / step), 1.0, most_ties));
  std::vector<double> at(steps + 1);
  for (std::size_t k = 0; k <= steps; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(steps);
    at[k] = low * (1 - share) + high * share;
  }
  std::vector<TieCandidate> best(at.size());
  for (std::size_t n = 0; n < triangles.size(); ++n) {
    std::array<Vec3, 3> corners;
    std::array<double, 3> place;
    for (std::size_t i = 0; i < 3; ++i) {
      corners[i] = positions[triangles[n][i]];
      place[i] = place_of(corners[i]);
    }
    const auto [least, most] = std::minmax({place[0], place[1], place[2]});
    const auto first = std::lower_bound(at.begin(), at.end(), least);
    for (auto k = first; k != at.end() && *k <= most; ++k) {
      look_across(corners, place, *k, lerp(head, tail, *k), n, best[k - at.begin()]);
    }
  }
  double nearest = std::numeric_limits<double>::infinity();
  for (const TieCandidate& c : best) nearest = std::min(nearest, c.distance);
  const double farthest = std::min(stretch.farthest, 3 * nearest + length / 2);
  std::vector<BoneTie> ties;
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (best[k].distance <= farthest) ties.push_back({at[k], best[k].point, best[k].triangle});
  }
  return ties;
}

void keep_own(std::vector<BoneTie>& ties, const BoneLine& bone, std::span<const BoneLine> others) {
  std::erase_if(ties, [&](const BoneTie& tie) {
    // Bones that meet in a joint are equally near to what lies beside it.
    const double own = distance(tie.point, lerp(bone.head, bone.tail, tie.t)) * (1 - 1e-6);
    return std::any_of(others.begin(), others.end(), [&](const BoneLine& other) {
      const double t = closest_on_segment(tie.point, other.head, other.tail);
      return distance(tie.point, lerp(other.head, other.tail, t)) < own;
    });
  });
}

std::vector<Beside> stretches_outside(double from, double to, double length,
                                      const std::function<bool(double t)>& inside) {
  std::vector<Beside> stretches;
  bool open = false;
  for (int k = 0; k <= stretch_probes; ++k) {
    const double t = from + (to - from) * k / stretch_probes;
    const bool outside = !inside(t);
    if (outside && !open) stretches.push_back({t, t, length * least_stretch});
    if (outside) stretches.back().to = t;
    open = outside;
  }
  std::erase_if(stretches, [](const Beside& s) { return s.to - s.from < least_stretch; });
  return stretches;
}

std::pair<double, double> places_of_box(const Box& box, const Vec3& head, const Vec3& tail) {
  const Vec3 way = tail - head;
  const double squared = length_squared(way);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p{(corner & 1) != 0 ? box.high.x : box.low.x,
                 (corner & 2) != 0 ? box.high.y : box.low.y,
                 (corner & 4) != 0 ? box.high.z : box.low.z};
    const double place = dot(p - head, way) / squared;
    low = std::min(low, place);
    high = std::max(high, place);
  }
  if (!(low <= 1) || !(high >= 0)) return {1, 0};
  return {std::max(low, 0.0), std::min(high, 1.0)};
}

std::string tied_beside(std::size_t bone, bool partly) {
  if (partly) {
    return fmt::format(
        "bone {} lies partly outside of the shape and is tied there to the surface beside it",
        bone);
  }
  return fmt::format(
      "bone {} lies outside of the shape and is tied to the surface beside it, all along", bone);
}

bool covers(std::span<const BoneTie> ties, const Beside& stretch) {
  return !ties.empty() && ties.back().t - ties.front().t >= (stretch.to - stretch.from) / 2;
}

BoneTie nearest_tie(const std::vector<Vec3>& positions, std::span<const Triangle> triangles,
                    const Vec3& head, const Vec3& tail) {
  BoneTie nearest;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < triangles.size(); ++n) {
    for (const Index v : triangles[n]) {
      const double t = closest_on_segment(positions[v], head, tail);
      const double d = distance(lerp(head, tail, t), positions[v]);
      if (d >= least) continue;
      least = d;
      nearest = {t, positions[v], n};
    }
  }
  return nearest;
}

}  // namespace sinew::detail
