// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/kernels/offset_curve_lanes.cpp"
#include <hwy/foreach_target.h>

#include "sinew/kernels/detail/offset_curve-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

void arc_tiles(const CurveJob<ArcSide>& job, std::size_t first) {
  run_curves<ArcLanes>(job, first);
}

void spline_tiles(const CurveJob<SplinePieceLanes>& job, std::size_t first) {
  run_curves<SplineLanes>(job, first);
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(arc_tiles);
HWY_EXPORT(spline_tiles);

void deform_curves(const CurveJob<ArcSide>& job, std::size_t first) noexcept {
  HWY_DYNAMIC_DISPATCH(arc_tiles)(job, first);
}

void deform_curves(const CurveJob<SplinePieceLanes>& job, std::size_t first) noexcept {
  HWY_DYNAMIC_DISPATCH(spline_tiles)(job, first);
}

}  // namespace sinew::kernels
#endif
