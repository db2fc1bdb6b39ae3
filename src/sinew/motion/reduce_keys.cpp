// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/reduce_keys.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

double deviation(const Vec3& a, const Vec3& b) { return distance(a, b); }
double deviation(const Quat& a, const Quat& b) { return rotation_angle(conjugate(a) * b); }

Vec3 on_line(const Vec3& a, const Vec3& b, double t) { return lerp(a, b, t); }
Quat on_line(const Quat& a, const Quat& b, double t) { return slerp(a, b, t); }

// The longest stretch that is looked at as a whole. It bounds the work per key.
constexpr std::size_t longest_stretch = 256;

template <class T>
Curve<T> reduced(const Curve<T>& curve, double tolerance) {
  const std::size_t count = curve.times.size();
  if (curve.interpolation != Interpolation::linear || curve.values.size() != count) {
    throw UsageError(formatted("only linear curves lose keys; this one has {} times and {} values",
                               count, curve.values.size()));
  }
  if (!(tolerance >= 0)) throw UsageError("the tolerance for keys is a number from 0 on");
  if (tolerance == 0 || count < 2) return curve;

  std::vector<bool> stays(count, false);
  stays.front() = true;
  const bool is_constant = std::all_of(curve.values.begin(), curve.values.end(), [&](const T& v) {
    return deviation(curve.values.front(), v) <= tolerance;
  });
  std::vector<std::pair<std::size_t, std::size_t>> stretches;
  for (std::size_t from = 0; !is_constant && from + 1 < count; from += longest_stretch) {
    stretches.emplace_back(from, std::min(from + longest_stretch, count - 1));
  }
  while (!stretches.empty()) {
    const auto [from, to] = stretches.back();
    stretches.pop_back();
    stays[from] = stays[to] = true;
    double worst = tolerance;
    std::size_t at = 0;
    for (std::size_t k = from + 1; k < to; ++k) {
      const double t = (curve.times[k] - curve.times[from]) / (curve.times[to] - curve.times[from]);
      const double d = deviation(on_line(curve.values[from], curve.values[to], t), curve.values[k]);
      if (d > worst) {
        worst = d;
        at = k;
      }
    }
    if (at == 0) continue;
    stretches.emplace_back(from, at);
    stretches.emplace_back(at, to);
  }
  Curve<T> result;
  for (std::size_t k = 0; k < count; ++k) {
    if (!stays[k]) continue;
    result.times.push_back(curve.times[k]);
    result.values.push_back(curve.values[k]);
  }
  return result;
}

}  // namespace

Curve<Vec3> reduce_keys(const Curve<Vec3>& curve, double tolerance) {
  return reduced(curve, tolerance);
}

Curve<Quat> reduce_keys(const Curve<Quat>& curve, double tolerance) {
  return reduced(curve, tolerance);
}

}  // namespace sinew
