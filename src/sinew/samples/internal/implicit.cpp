// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/internal/implicit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/core/parallel.h"

namespace sinew::samples {
namespace {

// No less than the largest factor by which m scales a vector.
double frobenius(const Mat3& m) {
  return std::sqrt(length_squared(m.x) + length_squared(m.y) + length_squared(m.z));
}

// By how much a primitive with a warp from flattened() is thinner than a round one.
double flattening(const Primitive& primitive) {
  const double size = frobenius(primitive.warp);
  return std::max(std::sqrt(std::max(size * size - 2, 0.0)), 1.0);
}

// Melts b into a over the width k (a quadratic smooth minimum); returns b's share.
double melt(double& a, double b, double k) {
  const double difference = b - a;
  if (difference >= k) return 0;
  if (difference <= -k || k <= 0) {
    a = b;
    return 1;
  }
  const double overlap = (k - std::fabs(difference)) / k;
  const double minor = overlap / 2;
  a = std::min(a, b) - overlap * overlap * k / 4;
  return difference > 0 ? minor : 1 - minor;
}

}  // namespace

Mat3 flattened(const Vec3& direction, double factor) {
  const Vec3 scaled_direction = direction * (1 / factor - 1);
  return Mat3{} + Mat3{scaled_direction * direction.x, scaled_direction * direction.y,
                       scaled_direction * direction.z};
}

Cone::Cone(const Primitive& primitive)
    : a_(primitive.a),
      radius_a_(primitive.radius_a),
      warp_(primitive.warp),
      warped_(!(primitive.warp == Mat3{})),
      blend_(primitive.blend) {
  const Vec3 along = warp_ * (primitive.b - primitive.a);
  length_ = length(along);
  axis_ = normalized(along);
  const double taper = primitive.radius_a - primitive.radius_b;
  if (length_ <= std::fabs(taper)) {
    // One end's ball holds the other's.
    length_ = 0;
    if (taper < 0) {
      a_ = primitive.b;
      radius_a_ = primitive.radius_b;
    }
  } else {
    slope_ = taper / length_;
    lean_ = slope_ / std::sqrt(1 - slope_ * slope_);
  }
  const double shrink = warped_ ? frobenius(inverse(warp_)) : 1;
  stretch_ = warped_ ? frobenius(warp_) * shrink / 1.5 : 1;
  middle_ = (primitive.a + primitive.b) * 0.5;
  reach_ = sinew::distance(primitive.a, primitive.b) / 2 +
           std::max(primitive.radius_a, primitive.radius_b) * shrink;
}

Distance Cone::distance(const Vec3& p) const {
  Vec3 q = p - a_;
  if (warped_) q = warp_ * q;
  const double along = dot(q, axis_);
  const double across = length(q - axis_ * along);
  const double foot = std::clamp(along - lean_ * across, 0.0, length_);
  const Vec3 away = q - axis_ * foot;
  const double range = length(away);
  Distance result;
  result.value = range - (radius_a_ - slope_ * foot);
  result.gradient = range > 0 ? away / range : any_perpendicular(axis_);
  if (warped_) {
    const Vec3 gradient = transpose(warp_) * result.gradient;
    const double steepness = length(gradient);
    result.value /= steepness;
    result.gradient = gradient / steepness;
  }
  return result;
}

double Cone::lower_bound(const Vec3& p) const {
  return (sinew::distance(p, middle_) - reach_) / stretch_;
}

double Cone::claim(const Vec3& p) const {
  Vec3 q = p - a_;
  if (warped_) q = warp_ * q;
  const double along = dot(q, axis_);
  const double foot = std::clamp(along, 0.0, length_);
  const double radius = radius_a_ - slope_ * foot;
  if (length_ == 0) return std::max(length(q) - radius, 0.0);
  const double across = length(q - axis_ * along);
  return std::max(across - radius, 0.0) + std::fabs(along - foot);
}

Field::Field(std::vector<Primitive> primitives) : primitives_(std::move(primitives)) {
  cones_.reserve(primitives_.size());
  for (const Primitive& primitive : primitives_) {
    cones_.emplace_back(primitive);
    const Cone& cone = cones_.back();
    const Vec3 reach{cone.reach(), cone.reach(), cone.reach()};
    const bool first = cones_.size() == 1;
    bounds_.low = first ? cone.middle() - reach : component_min(bounds_.low, cone.middle() - reach);
    bounds_.high =
        first ? cone.middle() + reach : component_max(bounds_.high, cone.middle() + reach);
    // The mean, as a tip that tapers to nothing is no loss.
    thickness_.push_back(0.5 * (primitive.radius_a + primitive.radius_b) / flattening(primitive));
  }
  all_.resize(primitives_.size());
  std::iota(all_.begin(), all_.end(), 0u);
  build_grid();
}

void Field::build_grid() {
  constexpr double cells_along_longest = 72;
  const Vec3 extent = bounds_.high - bounds_.low;
  cell_ = std::max({extent.x, extent.y, extent.z}) / cells_along_longest;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    size_[axis] = static_cast<std::size_t>(std::ceil(extent[axis] / cell_)) + 1;
  }
  double widest = 0;
  for (const Cone& cone : cones_) widest = std::max(widest, cone.blend());
  const double half_diagonal = cell_ * std::sqrt(3.0) / 2;

  // Slab by slab, so that the lists come out in the same order on any number of threads.
  std::vector<std::vector<std::uint32_t>> counts(size_[2]), lists(size_[2]);
  parallel_for(size_[2], 1, [&](std::size_t begin, std::size_t end) {
    std::vector<double> values(cones_.size());
    for (std::size_t k = begin; k < end; ++k) {
      for (std::size_t j = 0; j < size_[1]; ++j) {
        for (std::size_t i = 0; i < size_[0]; ++i) {
          const Vec3 center =
              bounds_.low + Vec3{static_cast<double>(i) + 0.5, static_cast<double>(j) + 0.5,
                                 static_cast<double>(k) + 0.5} *
                                cell_;
          double nearest = cones_[0].distance(center).value + cones_[0].stretch() * half_diagonal;
          for (std::size_t c = 0; c < cones_.size(); ++c) {
            const double margin = cones_[c].stretch() * half_diagonal;
            values[c] = cones_[c].lower_bound(center);
            if (values[c] > 0 && values[c] - margin > nearest + 1.5 * widest) continue;
            values[c] = cones_[c].distance(center).value;
            nearest = std::min(nearest, values[c] + margin);
          }
          std::uint32_t count = 0;
          for (std::size_t c = 0; c < cones_.size(); ++c) {
            if (values[c] - cones_[c].stretch() * half_diagonal > nearest + 1.5 * widest) continue;
            lists[k].push_back(static_cast<std::uint32_t>(c));
            ++count;
          }
          counts[k].push_back(count);
        }
      }
    }
  });
  offsets_.assign(1, 0);
  for (std::size_t k = 0; k < size_[2]; ++k) {
    for (const std::uint32_t count : counts[k]) offsets_.push_back(offsets_.back() + count);
    lists_.insert(lists_.end(), lists[k].begin(), lists[k].end());
  }
}

std::span<const std::uint32_t> Field::near(const Vec3& p) const {
  std::size_t at[3];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double place = (p[axis] - bounds_.low[axis]) / cell_;
    if (!(place >= 0) || place >= static_cast<double>(size_[axis])) return all_;
    at[axis] = static_cast<std::size_t>(place);
  }
  const std::size_t cell = (at[2] * size_[1] + at[1]) * size_[0] + at[0];
  return std::span(lists_).subspan(offsets_[cell], offsets_[cell + 1] - offsets_[cell]);
}

Distance Field::distance(const Vec3& p) const {
  Distance result;
  bool first = true;
  for (const std::uint32_t i : near(p)) {
    const Cone& cone = cones_[i];
    if (first) {
      result = cone.distance(p);
      first = false;
      continue;
    }
    const double bound = cone.lower_bound(p);
    if (bound > 0 && bound > result.value + cone.blend()) continue;
    const Distance next = cone.distance(p);
    const double share = melt(result.value, next.value, cone.blend());
    if (share > 0) result.gradient = lerp(result.gradient, next.gradient, share);
  }
  return result;
}

void Field::shares(const Vec3& p, std::vector<Share>& out) const {
  out.clear();
  double value = 0;
  for (const std::uint32_t i : near(p)) {
    const double next = cones_[i].distance(p).value;
    double share = 1;
    if (out.empty()) {
      value = next;
    } else {
      share = melt(value, next, cones_[i].blend());
    }
    if (share <= 0) continue;
    for (Share& earlier : out) earlier.share *= 1 - share;
    out.push_back({i, share});
  }
}

Vec3 Field::project(Vec3 p, int steps, double limit) const {
  for (int step = 0; step < steps; ++step) {
    const Distance d = distance(p);
    const double steepness = length_squared(d.gradient);
    if (!(steepness > 1e-6)) break;
    Vec3 move = d.gradient * (-d.value / steepness);
    const double size = length(move);
    if (size > limit) move *= limit / size;
    p += move;
  }
  return p;
}

double Field::edge_length(const Vec3& p, double edge) const {
  constexpr double growth = 0.3;
  double wanted = edge;
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const double finest = std::min(edge * primitives_[i].detail, 1.3 * thickness_[i]);
    if (finest >= wanted) continue;
    if (finest + growth * cones_[i].lower_bound(p) >= wanted) continue;
    wanted = std::min(wanted, finest + growth * std::max(cones_[i].distance(p).value, 0.0));
  }
  return wanted;
}

double Field::cell_limit(const Vec3& p) const {
  double limit = bounds_.diagonal();
  for (const std::uint32_t i : near(p)) {
    const double thickness = 0.6 * thickness_[i];
    if (thickness >= limit || thickness + 0.5 * cones_[i].lower_bound(p) >= limit) continue;
    limit = std::min(limit, thickness + 0.5 * std::max(cones_[i].distance(p).value, 0.0));
  }
  return limit;
}

}  // namespace sinew::samples
