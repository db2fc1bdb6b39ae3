// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/curve.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/motion/detail/interpolate.h"
#include "sinew/motion/detail/sample_arcs.h"

namespace sinew {
namespace {

using namespace motion;

const double* numbers(const double& v) { return &v; }
const double* numbers(const Vec3& v) { return &v.x; }
const double* numbers(const Quat& q) { return &q.x; }
const double* numbers(const std::vector<double>& v) { return v.data(); }

std::size_t number_count(const double&) { return 1; }
std::size_t number_count(const Vec3&) { return 3; }
std::size_t number_count(const Quat&) { return 4; }
std::size_t number_count(const std::vector<double>& v) { return v.size(); }

template <class T>
T finished(T value) {
  return value;
}
Quat finished(const Quat& q) { return normalized(q); }

template <class T>
T between(const Curve<T>& curve, std::size_t k, double time) {
  const T& a = curve.values[k];
  const T& b = curve.values[k + 1];
  KeySpan keys{.from = numbers(a),
               .to = numbers(b),
               .seconds = curve.times[k + 1] - curve.times[k],
               .width = std::min(number_count(a), number_count(b))};
  const double t = (time - curve.times[k]) / keys.seconds;
  if constexpr (std::is_same_v<T, Quat>) {
    // Files round: the angle between keys that are not quite unit would come out wrong.
    if (curve.interpolation == Interpolation::linear) {
      return arc_point(arc_between(normalized(a), normalized(b)), t);
    }
  }
  if (has_handles(curve.interpolation)) {
    const auto &out = curve.out[k], &in = curve.in[k + 1];
    keys.out = numbers(out.value);
    keys.in = numbers(in.value);
    keys.out_time = out.time;
    keys.in_time = in.time;
    keys.width = std::min({keys.width, number_count(out.value), number_count(in.value)});
  }
  T result = a;
  if constexpr (std::is_same_v<T, std::vector<double>>) result.resize(keys.width);
  interpolate(curve.interpolation, keys, t, const_cast<double*>(numbers(result)));
  return finished(result);
}

template <class T>
T sample_curve(const Curve<T>& curve, double time) {
  require_keys(curve);
  if (curve.times.empty()) return T{};
  if (!(time > curve.times.front())) return finished(curve.values.front());
  if (time >= curve.times.back()) return finished(curve.values.back());
  const auto after = std::upper_bound(curve.times.begin(), curve.times.end(), time);
  return between(curve, static_cast<std::size_t>(after - curve.times.begin()) - 1, time);
}

}  // namespace

double sample(const Curve<double>& curve, double time) { return sample_curve(curve, time); }
Vec3 sample(const Curve<Vec3>& curve, double time) { return sample_curve(curve, time); }
Quat sample(const Curve<Quat>& curve, double time) { return sample_curve(curve, time); }
std::vector<double> sample(const Curve<std::vector<double>>& curve, double time) {
  return sample_curve(curve, time);
}

}  // namespace sinew
