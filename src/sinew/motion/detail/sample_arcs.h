// SPDX-License-Identifier: Apache-2.0
// Rotations on their way from key to key, eight at a time.
#pragma once

#include <array>
#include <cstddef>

#include "sinew/core/quat.h"

namespace sinew::motion {

// Moments of rotations: at the start of an arc, or `t` of the way along it.
struct ArcMoments {
  static constexpr std::size_t most = 64;
  std::array<const double*, most> arcs{};  // the numbers of each
  std::array<double*, most> rotations{};   // the results, x y z w
  std::array<double, most> t{};            // in (0, 1), or 0 for the start itself
};

// Taylor's series of the sine: its terms beyond the first, by the square of the angle.
inline constexpr double quarter_sine_terms[] = {-1.0 / 6,
                                                1.0 / 120,
                                                -1.0 / 5040,
                                                1.0 / 362880,
                                                -1.0 / 39916800.0,
                                                1.0 / 6227020800.0,
                                                -1.0 / 1307674368000.0,
                                                1.0 / 355687428096000.0,
                                                -1.0 / 121645100408832000.0,
                                                1.0 / 51090942171709440000.0};

// point_on() with the sines of that series instead of the C library's, to the last digit or two:
// the same bits on every machine. One at a time.
Quat arc_point(const QuatArc<double>& arc, double t);

// The first `count` of them, each with the bits of arc_point(). More are set, to complete lanes.
void sample_arcs(ArcMoments& moments, std::size_t count);

}  // namespace sinew::motion
