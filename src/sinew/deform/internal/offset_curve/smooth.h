// SPDX-License-Identifier: Apache-2.0
// Smooth maximum and minimum.
#pragma once

#include <algorithm>
#include <cmath>

namespace sinew::offset_curve {

// The maximum of a and b, smoothed (C1) where they differ by less than `width`; never below either.
template <class T>
T smooth_max(T a, T b, T width) {
  const T overlap = width - std::fabs(a - b);
  const T blend = overlap > T(0) ? overlap * overlap / (T(4) * width) : T(0);
  return std::max(a, b) + blend;
}

template <class T>
T smooth_min(T a, T b, T width) {
  return -smooth_max(-a, -b, width);
}

}  // namespace sinew::offset_curve
