// SPDX-License-Identifier: Apache-2.0
// Curves [0, 1] -> [0, 1] that reshape endpoint weights (Jacobson and Sorkine 2011, fig. 10).
#pragma once

#include <vector>

#include "sinew/core/vec.h"

namespace sinew {

// Interpolates its points, which lie in [0, 1], are strictly ascending in x and, unless it is free,
// non-decreasing in y. Monotone cubic from each to the next, without overshoot (Fritsch and Butland
// 1984); constant before the first and after the last. The identity if there are no points.
struct FilterCurve {
  std::vector<Vec2> points;
  bool free = false;  // may also fall: a bone that twists there and back

  // Whether it leaves everything as it is.
  bool is_identity() const { return points.empty(); }
  friend bool operator==(const FilterCurve&, const FilterCurve&) = default;
};

// The curve must be valid. NaN counts as 0.
double evaluate(const FilterCurve& curve, double x);

// Throws InputError naming the point that breaks a rule.
void validate(const FilterCurve& curve);

// Applied to a bone's endpoint weights before they are used for stretch and twist.
struct BoneFilter {
  FilterCurve stretch, twist;
  friend bool operator==(const BoneFilter&, const BoneFilter&) = default;
};

}  // namespace sinew
