// SPDX-License-Identifier: Apache-2.0
// Where a function that rises changes its sign.
#pragma once

#include <cmath>

namespace sinew::offset_curve {

// A place, and the function's value there.
struct RootEnd {
  double at = 0, value = 0;
};

// The function is not positive at `lower`, and positive at `upper`. To the last bit or so. By
// regula falsi, in the variant of Anderson and Bjorck (1973): a value at an end that stays is made
// smaller, so that the other end moves, too. Halves the bracket where that does not shrink fast.
template <class Function>
double rising_root(const Function& value_at, RootEnd lower, RootEnd upper) {
  constexpr double rounding = 4e-16;
  constexpr int slow_from = 30, most_steps = 200;
  double width = upper.at - lower.at;
  bool was_high = false;
  for (int i = 0; i < most_steps; ++i) {
    const double low = lower.at, high = upper.at;
    if (!(high - low > rounding * (std::fabs(low) + std::fabs(high)))) break;
    double x = low - lower.value * (high - low) / (upper.value - lower.value);
    // Every third step the bracket must have shrunk to less than half; functions that jump are left
    // to halving soon.
    if (i % 3 == 2) {
      if (high - low > 0.5 * width) x = low + 0.5 * (high - low);
      width = high - low;
    }
    if (i >= slow_from) x = low + 0.5 * (high - low);
    if (!(x > low && x < high)) x = low + 0.5 * (high - low);
    if (!(x > low && x < high)) break;
    const double y = value_at(x);
    if (y == 0) return x;
    const bool is_high = y > 0;
    auto& [end, at_end] = is_high ? upper : lower;
    double& at_other = is_high ? lower.value : upper.value;
    if (i > 0 && is_high == was_high) {
      const double share = 1 - y / at_end;
      at_other *= share > 0 ? share : 0.5;
    }
    was_high = is_high;
    end = x;
    at_end = y;
  }
  return upper.at;
}

}  // namespace sinew::offset_curve
