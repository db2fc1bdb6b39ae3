// SPDX-License-Identifier: Apache-2.0
// Monotone curves [0, 1] -> [0, 1] that reshape endpoint weights (seed 000, fig. 10).
#pragma once

#include <vector>

#include "sinew/core/vec.h"

namespace sinew {

// Through its points, which ascend strictly in x and never fall in y, both within [0, 1]; cubic
// between them and never overshooting (Fritsch and Butland 1984); constant before the first and
// after the last. Without points it is the identity.
struct FilterCurve {
  std::vector<Vec2> points;

  // Whether it leaves everything as it is.
  bool is_identity() const { return points.empty(); }
  friend bool operator==(const FilterCurve&, const FilterCurve&) = default;
};

// The curve must be valid. NaN counts as 0.
double evaluate(const FilterCurve& curve, double x);

// Throws InputError naming the point that breaks a rule.
void validate(const FilterCurve& curve);

// What a bone does to the endpoint weights it is given, before they stretch and twist.
struct BoneFilter {
  FilterCurve stretch, twist;
  friend bool operator==(const BoneFilter&, const BoneFilter&) = default;
};

}  // namespace sinew
