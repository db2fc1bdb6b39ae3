// SPDX-License-Identifier: Apache-2.0
// Inverse powers of distances without overflow, underflow or division by 0.
#pragma once

#include <cmath>
#include <span>

#include "sinew/core/math.h"

namespace sinew::detail {

// x^exponent; small integer exponents by multiplication.
inline double power(double x, double exponent) {
  if (!(exponent >= 0 && exponent <= 32 && exponent == std::floor(exponent))) {
    return math::pow(x, exponent);
  }
  double result = 1;
  for (auto n = static_cast<unsigned>(exponent); n != 0; n /= 2, x *= x) {
    if (n % 2 != 0) result *= x;
  }
  return result;
}

// Replaces squared distances by distance^-exponent, scaled so that the nearest gets 1. If any
// distance is at most `zero`, takes the limit: 1 for those distances, 0 for the others.
inline void invert_distances(std::span<double> squared, double exponent, double zero) {
  double nearest = squared.empty() ? 0 : squared[0];
  for (const double s : squared) nearest = s < nearest ? s : nearest;
  if (nearest <= zero * zero) {
    for (double& s : squared) s = s <= zero * zero ? 1 : 0;
  } else {
    for (double& s : squared) s = power(nearest / s, exponent / 2);
  }
}

}  // namespace sinew::detail
