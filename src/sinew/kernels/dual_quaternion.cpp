// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/kernels/dual_quaternion.cpp"
#include <hwy/foreach_target.h>

#include "sinew/kernels/detail/dual_quaternion-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

template <bool kBefore>
void blended_tiles(const Job& job, std::size_t begin, std::size_t end) {
  if (job.plan->map == BoneMap::stbs) {
    run_method<DualQuaternion<StbsMotions, kBefore>>(job, begin, end);
  } else {
    run_method<DualQuaternion<PlainMotions, kBefore>>(job, begin, end);
  }
}

void dual_quaternion_tiles(const Job& job, std::size_t begin, std::size_t end) {
#if HWY_ARCH_WASM
  // One for both, of half the size: it asks bone by bone.
  blended_tiles<true>(job, begin, end);
#else
  job.pose->any_before ? blended_tiles<true>(job, begin, end)
                       : blended_tiles<false>(job, begin, end);
#endif
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(dual_quaternion_tiles);

void deform_dual_quaternion(const Job& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(dual_quaternion_tiles)(job, begin, end);
}

}  // namespace sinew::kernels
#endif
