// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/strain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/math.h"
#include "sinew/core/parallel.h"
#include "sinew/measure/detail/require.h"

namespace sinew {
namespace {

constexpr double least_height = 1e-6;  // of the bounding box
constexpr double share_above = 1e-3;   // of the surface, that is sheared more
constexpr double asking_weight = 0.1;  // from which on a bone's stretch is asked of a triangle

// What a map does to lengths: the least and the most.
struct Range {
  double low = 1, high = 1;

  void include(double factor) {
    low = std::min(low, factor);
    high = std::max(high, factor);
  }
};

// Includes the singular values of m: roots of the eigenvalues of m^T m, by the formula of Smith
// 1961.
void include_scales(Range& range, const Mat3& m) {
  const double xx = dot(m.x, m.x), yy = dot(m.y, m.y), zz = dot(m.z, m.z);
  const double xy = dot(m.x, m.y), yz = dot(m.y, m.z), xz = dot(m.x, m.z);
  const double mean = (xx + yy + zz) / 3;
  const double off = xy * xy + yz * yz + xz * xz;
  const double a = xx - mean, b = yy - mean, c = zz - mean;
  const double spread = std::sqrt((a * a + b * b + c * c + 2 * off) / 6);
  double angle = 0;
  if (spread > 0) {
    const double det = a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz);
    angle = math::acos(std::clamp(det / (2 * spread * spread * spread), -1.0, 1.0)) / 3;
  }
  range.include(std::sqrt(std::max(0.0, mean + 2 * spread * math::cos(angle))));
  range.include(std::sqrt(std::max(0.0, mean + 2 * spread * math::cos(angle + 2 * pi / 3))));
}

// What the pose asks of a bone.
Range asked_of(const BoneState& bone) {
  Range range;
  range.include(distance(bone.posed_head, bone.posed_tail) / distance(bone.head, bone.tail));
  include_scales(range, bone.scale_shear);
  include_scales(range, bone.across);
  range.include(1 + bone.bulge);
  return range;
}

// The corners are in units of the shapes' sizes; `growth` is the size of the deformed one in those
// of the other.
TriangleStrain strain_of(const std::array<Vec3, 3>& rest, const std::array<Vec3, 3>& posed,
                         double growth) {
  // From the longest side: the height on it is the smallest.
  std::size_t first = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (distance(rest[i], rest[(i + 1) % 3]) > distance(rest[first], rest[(first + 1) % 3])) {
      first = i;
    }
  }
  const std::size_t second = (first + 1) % 3, third = (first + 2) % 3;
  const Vec3 side = rest[second] - rest[first], up = rest[third] - rest[first];
  const double base = length(side);
  const double twice_area = length(cross(side, up));
  TriangleStrain strain;
  if (!(base > 0) || !(twice_area > least_height * base)) return strain;
  strain.area = twice_area / 2;
  const Vec3 x = (posed[second] - posed[first]) / base;
  const Vec3 y = (posed[third] - posed[first] - x * (dot(side, up) / base)) / (twice_area / base);
  const double xx = dot(x, x), yy = dot(y, y), xy = dot(x, y);
  const double longest = std::sqrt((xx + yy) / 2 + math::hypot((xx - yy) / 2, xy));
  // By the area, because the difference of squares would lose the small one to rounding.
  const double shortest = longest > 0 ? length(cross(x, y)) / longest : 0;
  strain.longest = growth * longest;
  strain.shortest = growth * std::min(shortest, longest);
  return strain;
}

}  // namespace

double TriangleStrain::shear() const {
  return longest > 0 ? pi / 2 - 2 * math::atan2(shortest, longest) : 0;
}

std::vector<TriangleStrain> triangle_strains(const std::vector<Triangle>& triangles,
                                             const std::vector<Vec3>& rest,
                                             const std::vector<Vec3>& deformed) {
  detail::require_same_mesh(triangles, rest, deformed);
  const double size = bounding_box(rest).diagonal(), posed_size = bounding_box(deformed).diagonal();
  std::vector<TriangleStrain> strains(triangles.size());
  if (!(size > 0)) return strains;
  // In units of their sizes, because squares of very small or large numbers under- or overflow.
  const double unit = posed_size > 0 ? posed_size : 1;
  parallel_for(triangles.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      std::array<Vec3, 3> before, after;
      for (std::size_t i = 0; i < 3; ++i) {
        before[i] = (rest[triangles[t][i]] - rest[triangles[t][0]]) / size;
        after[i] = (deformed[triangles[t][i]] - deformed[triangles[t][0]]) / unit;
      }
      strains[t] = strain_of(before, after, posed_size / size);
    }
  });
  return strains;
}

std::vector<StrainBounds> strain_bounds(const std::vector<Triangle>& triangles,
                                        const Weights& weights, std::span<const BoneState> states) {
  detail::require_same_rig(weights, weights.vertex_count(), states.size());
  std::vector<Range> asked;
  for (const BoneState& state : states) asked.push_back(asked_of(state));
  std::vector<StrainBounds> bounds;
  bounds.reserve(triangles.size());
  for (const Triangle& triangle : triangles) {
    Range range;
    for (const Index v : triangle) {
      for (const Influence& influence : weights.row(v)) {
        if (influence.weight < asking_weight) continue;
        const Range& bone = asked[influence.bone];
        range.include(bone.low);
        range.include(bone.high);
      }
    }
    bounds.push_back({range.high * StrainBounds{}.longest, range.low * StrainBounds{}.shortest});
  }
  return bounds;
}

Strain summarize(std::span<const TriangleStrain> strains, std::span<const StrainBounds> bounds,
                 std::span<const Index> displaced) {
  if (strains.size() != bounds.size()) throw UsageError("there must be bounds for each strain");
  Strain result;
  double total = 0, beyond = 0;
  std::vector<std::pair<double, std::size_t>> by_shear;
  for (std::size_t t = 0; t < strains.size(); ++t) {
    const TriangleStrain& strain = strains[t];
    if (!(strain.area > 0)) continue;
    total += strain.area;
    by_shear.emplace_back(-strain.shear(), t);
    if (strain.longest > bounds[t].longest || strain.shortest < bounds[t].shortest ||
        std::binary_search(displaced.begin(), displaced.end(), static_cast<Index>(t))) {
      beyond += strain.area;
      result.distorted.push_back(static_cast<Index>(t));
    }
  }
  result.triangles = by_shear.size();
  result.no_area = strains.size() - by_shear.size();
  if (by_shear.empty()) return result;
  result.distorted_area = beyond / total;
  // Only the most sheared are asked for, in their order: mostly a few of all.
  std::size_t sorted = 0;
  const auto sort_more = [&] {
    const std::size_t more =
        std::min(by_shear.size(), std::max(2 * sorted, by_shear.size() / 64 + 1));
    const auto begin = by_shear.begin();
    std::partial_sort(begin + static_cast<std::ptrdiff_t>(sorted),
                      begin + static_cast<std::ptrdiff_t>(more), by_shear.end());
    sorted = more;
  };
  sort_more();
  result.largest_shear = -by_shear.front().first;
  double above = 0;
  for (std::size_t i = 0; i < by_shear.size() && above < share_above * total; ++i) {
    if (i == sorted) sort_more();
    result.shear = -by_shear[i].first;
    above += strains[by_shear[i].second].area;
  }
  return result;
}

}  // namespace sinew
