// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/kernels/stretch_it.cpp"
#include <hwy/foreach_target.h>

#include "sinew/kernels/detail/stretch_it-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

void stretch_it_tiles(const Job& job, std::size_t begin, std::size_t end) {
  run_method<StretchItLanes>(job, begin, end);
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(stretch_it_tiles);

void deform_stretch_it(const Job& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(stretch_it_tiles)(job, begin, end);
}

}  // namespace sinew::kernels
#endif
