// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/kernels/linear.cpp"
#include <hwy/foreach_target.h>

#include "sinew/kernels/detail/linear-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

void linear_tiles(const Job& job, std::size_t begin, std::size_t end) {
  if (job.plan->map != BoneMap::stbs) {
    run_method<Linear<1>>(job, begin, end);
  } else if (job.pose->any_moves) {
    run_method<StbsLinear>(job, begin, end);
  } else {
    // If nothing stretches or twists, the four corners of a bone are equal.
    run_method<Linear<4>>(job, begin, end);
  }
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(linear_tiles);

void deform_linear(const Job& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(linear_tiles)(job, begin, end);
}

}  // namespace sinew::kernels
#endif
