// SPDX-License-Identifier: Apache-2.0
#include "sinew/plane/detail/grid.h"

namespace sinew::plane {
namespace {

__extension__ using Wide = __int128;

}  // namespace

bool in_circle(GridPoint a, GridPoint b, GridPoint c, GridPoint p) {
  const std::int64_t lifted_a = squared_distance(p, a), lifted_b = squared_distance(p, b),
                     lifted_c = squared_distance(p, c);
  const std::int64_t across_a = orient(p, b, c), across_b = orient(p, c, a),
                     across_c = orient(p, a, b);
  // The factors are exact as doubles, so that only three products and two sums are rounded.
  const double at_a = static_cast<double>(lifted_a) * static_cast<double>(across_a);
  const double at_b = static_cast<double>(lifted_b) * static_cast<double>(across_b);
  const double at_c = static_cast<double>(lifted_c) * static_cast<double>(across_c);
  const double sum = at_a + at_b + at_c;
  const double uncertain = (std::fabs(at_a) + std::fabs(at_b) + std::fabs(at_c)) * 0x1p-50;
  if (sum > uncertain) return true;
  if (sum < -uncertain) return false;
  return Wide{lifted_a} * across_a + Wide{lifted_b} * across_b + Wide{lifted_c} * across_c > 0;
}

}  // namespace sinew::plane
