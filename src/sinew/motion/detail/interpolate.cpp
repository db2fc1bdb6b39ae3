// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/detail/interpolate.h"

#include <algorithm>

namespace sinew::motion {
namespace {

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

// values * (a, b) + handles * (c, d)
void combine(const KeySpan& keys, double a, double b, double c, double d, double* result) {
  for (std::size_t i = 0; i < keys.width; ++i) {
    result[i] = (keys.from[i] * a + keys.to[i] * b) + (keys.out[i] * c + keys.in[i] * d);
  }
}

}  // namespace

void interpolate(Interpolation interpolation, const KeySpan& keys, double t, double* result) {
  switch (interpolation) {
    case Interpolation::step:
      std::copy_n(keys.from, keys.width, result);
      return;
    case Interpolation::linear:
      for (std::size_t i = 0; i < keys.width; ++i) {
        result[i] = keys.from[i] * (1 - t) + keys.to[i] * t;
      }
      return;
    case Interpolation::hermite: {
      const double t2 = t * t;
      const double t3 = t2 * t;
      combine(keys, 2 * t3 - 3 * t2 + 1, 3 * t2 - 2 * t3, keys.seconds * (t3 - 2 * t2 + t),
              keys.seconds * (t3 - t2), result);
      return;
    }
    case Interpolation::bezier: {
      const double from = std::clamp(keys.out_time / keys.seconds, 0.0, 1.0);
      const double to = std::clamp(1 + keys.in_time / keys.seconds, 0.0, 1.0);
      const double u = bezier_parameter(from, to, t);
      const double v = 1 - u;
      const double first = v * v * v + 3 * v * v * u;  // weights of both points at either end
      combine(keys, first, 1 - first, 3 * v * v * u, 3 * v * u * u, result);
      return;
    }
  }
}

}  // namespace sinew::motion
