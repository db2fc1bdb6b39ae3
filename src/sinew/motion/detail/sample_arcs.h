// SPDX-License-Identifier: Apache-2.0
// Rotations on their way from key to key, eight at a time.
#pragma once

#include <span>

#include "sinew/core/quat.h"

namespace sinew::motion {

// A moment of a rotation: at the start of an arc, or `t` of the way along it.
struct ArcMoment {
  const QuatArc<double>* arc = nullptr;
  Quat* rotation = nullptr;  // the result
  double t = 0;              // in (0, 1), or 0 for the start itself
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

// Each has the bits of arc_point().
void sample_arcs(std::span<const ArcMoment> moments);

}  // namespace sinew::motion
