// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/lane_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/motion/detail/sample_arcs.cpp"
#include <iterator>

#include <hwy/foreach_target.h>

#include "sinew/core/internal/lanes-inl.h"
#include "sinew/motion/detail/sample_arcs.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::motion::HWY_NAMESPACE {

using namespace lanes::HWY_NAMESPACE;

static_assert(sizeof(QuatArc<double>) == 9 * sizeof(double));

SINEW_KERNEL_INLINE Doubles quarter_sines(Doubles x) {
  const Doubles square = x * x;
  return x + x * (square * polynomial(square, quarter_sine_terms));
}

void sample_all(ArcMoments& moments, std::size_t count) {
  static_assert(ArcMoments::most % lane_count == 0);
  Quat nowhere;
  for (std::size_t i = count; i % lane_count != 0; ++i) {
    moments.arcs[i] = moments.arcs[count - 1];
    moments.rotations[i] = &nowhere.x;
    moments.t[i] = moments.t[count - 1];
  }
  for (std::size_t first = 0; first < count; first += lane_count) {
    const double* const* arcs = &moments.arcs[first];
    const Four from = load4(arcs, 0), to = load4(arcs, 4);
    const Doubles angle = load4(arcs, 5).w, t = load_lanes(&moments.t[first]);
    const Mask is_short = angle == 0;
    const Doubles left = select(is_short, 1 - t, quarter_sines((1 - t) * angle));
    const Doubles right = select(is_short, t, quarter_sines(t * angle));
    store4(select(t == 0, from, normalized(from * left + to * right)), &moments.rotations[first],
           0);
  }
}

}  // namespace sinew::motion::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::motion {

HWY_EXPORT(sample_all);

namespace {

double quarter_sine(double x) {
  const double square = x * x;
  constexpr std::size_t count = std::size(quarter_sine_terms);
  double sum = quarter_sine_terms[count - 1];
  for (std::size_t i = count - 1; i-- > 0;) sum = sum * square + quarter_sine_terms[i];
  return x + x * (square * sum);
}

}  // namespace

Quat arc_point(const QuatArc<double>& arc, double t) {
  if (t == 0) return arc.from;
  if (arc.angle == 0) return normalized(arc.from * (1 - t) + arc.to * t);
  return normalized(arc.from * quarter_sine((1 - t) * arc.angle) +
                    arc.to * quarter_sine(t * arc.angle));
}

void sample_arcs(ArcMoments& moments, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(sample_all)(moments, count);
}

}  // namespace sinew::motion
#endif
