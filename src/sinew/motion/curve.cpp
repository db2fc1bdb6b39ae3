// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/curve.h"

#include <algorithm>
#include <cstddef>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

// The few operations that interpolation needs, for each kind of value.
double combine(double a, double s, double b, double t) { return a * s + b * t; }
Vec3 combine(const Vec3& a, double s, const Vec3& b, double t) { return a * s + b * t; }
Quat combine(const Quat& a, double s, const Quat& b, double t) { return a * s + b * t; }
std::vector<double> combine(const std::vector<double>& a, double s, const std::vector<double>& b,
                            double t) {
  std::vector<double> result(std::min(a.size(), b.size()));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = a[i] * s + b[i] * t;
  return result;
}

template <class T>
T straight(const T& a, const T& b, double t) {
  return combine(a, 1 - t, b, t);
}
// Files round: the angle between keys that are not quite unit would come out wrong.
Quat straight(const Quat& a, const Quat& b, double t) {
  return slerp(normalized(a), normalized(b), t);
}

template <class T>
T finished(T value) {
  return value;
}
Quat finished(const Quat& q) { return normalized(q); }

// The parameter in [0, 1] at which the Bezier with times 0, a, b, 1 reaches `time`; a and b lie in
// [0, 1], so time never falls and bisection cannot fail.
double bezier_parameter(double a, double b, double time) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double u = 0.5 * (low + high);
    const double v = 1 - u;
    const double at = 3 * v * v * u * a + 3 * v * u * u * b + u * u * u;
    (at < time ? low : high) = u;
  }
  return 0.5 * (low + high);
}

template <class T>
T between(const Curve<T>& curve, std::size_t k, double time) {
  const T& a = curve.values[k];
  const T& b = curve.values[k + 1];
  const double span = curve.times[k + 1] - curve.times[k];
  const double t = (time - curve.times[k]) / span;
  switch (curve.interpolation) {
    case Interpolation::step:
      return a;
    case Interpolation::linear:
      return straight(a, b, t);
    case Interpolation::hermite: {
      const double t2 = t * t;
      const double t3 = t2 * t;
      const T values = combine(a, 2 * t3 - 3 * t2 + 1, b, 3 * t2 - 2 * t3);
      const T slopes = combine(curve.out[k].value, span * (t3 - 2 * t2 + t), curve.in[k + 1].value,
                               span * (t3 - t2));
      return combine(values, 1, slopes, 1);
    }
    case Interpolation::bezier: {
      const double from = std::clamp(curve.out[k].time / span, 0.0, 1.0);
      const double to = std::clamp(1 + curve.in[k + 1].time / span, 0.0, 1.0);
      const double u = bezier_parameter(from, to, t);
      const double v = 1 - u;
      const double first = v * v * v + 3 * v * v * u;  // weights of both points at either end
      const T values = combine(a, first, b, 1 - first);
      const T handles =
          combine(curve.out[k].value, 3 * v * v * u, curve.in[k + 1].value, 3 * v * u * u);
      return combine(values, 1, handles, 1);
    }
  }
  return a;
}

template <class T>
T sample_curve(const Curve<T>& curve, double time) {
  const bool has_handles =
      curve.interpolation == Interpolation::hermite || curve.interpolation == Interpolation::bezier;
  const std::size_t keys = curve.times.size(), handles = has_handles ? keys : 0;
  if (curve.values.size() != keys || curve.in.size() < handles || curve.out.size() < handles) {
    throw UsageError(formatted("a curve has {} times, {} values, {} and {} handles", keys,
                               curve.values.size(), curve.in.size(), curve.out.size()));
  }
  if (keys == 0) return T{};
  if (!(time > curve.times.front())) return finished(curve.values.front());
  if (time >= curve.times.back()) return finished(curve.values.back());
  const auto after = std::upper_bound(curve.times.begin(), curve.times.end(), time);
  return finished(between(curve, static_cast<std::size_t>(after - curve.times.begin()) - 1, time));
}

}  // namespace

double sample(const Curve<double>& curve, double time) { return sample_curve(curve, time); }
Vec3 sample(const Curve<Vec3>& curve, double time) { return sample_curve(curve, time); }
Quat sample(const Curve<Quat>& curve, double time) { return sample_curve(curve, time); }
std::vector<double> sample(const Curve<std::vector<double>>& curve, double time) {
  return sample_curve(curve, time);
}

}  // namespace sinew
