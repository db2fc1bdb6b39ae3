// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/detail/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/kernels/linear.cpp"
#include <hwy/foreach_target.h>

#include "sinew/kernels/detail/linear-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

void linear_tiles(const Job& job, std::size_t begin, std::size_t end) {
  if (job.plan->map == BoneMap::stbs) {
    run_method<StbsLinear>(job, begin, end);
  } else {
    run_method<Linear>(job, begin, end);
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
