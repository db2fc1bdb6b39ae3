// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/kernels/mixed.cpp"
#include <hwy/foreach_target.h>

#include "sinew/kernels/detail/dual_quaternion-inl.h"
#include "sinew/kernels/detail/linear-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

// A mix of linear and dual quaternion blending per vertex.
template <class LinearMethod, class DualMethod>
struct Mixed {
  template <bool kSurface>
  SINEW_KERNEL_INLINE static DeformedLanes deform(const Job& job, const Lanes& lanes, const V3& p) {
    const DeformedLanes a = deformed<LinearMethod, kSurface>(job, lanes, p);
    const DeformedLanes b = deformed<DualMethod, kSurface>(job, lanes, p);
    const V share = hn::LoadU(D(), job.plan->shares.data() + lanes.slot);
    const M3& x = a.derivative;
    const M3 y = b.is_rotation ? rotation_matrix(b.rotation, b.rotation_scale) : b.derivative;
    DeformedLanes result{mix(a.position, b.position, share),
                         {mix(x.xx, y.xx, share), mix(x.xy, y.xy, share), mix(x.xz, y.xz, share),
                          mix(x.yx, y.yx, share), mix(x.yy, y.yy, share), mix(x.yz, y.yz, share),
                          mix(x.zx, y.zx, share), mix(x.zy, y.zy, share), mix(x.zz, y.zz, share)}};
    if constexpr (kSurface) {
      result.slopes = {mix(a.slopes.s, b.slopes.s, share), mix(a.slopes.t, b.slopes.t, share)};
    }
    return result;
  }

 private:
  SINEW_KERNEL_INLINE static V mix(V a, V b, V t) { return hn::MulAdd(hn::Sub(b, a), t, a); }
  SINEW_KERNEL_INLINE static V3 mix(const V3& a, const V3& b, V t) {
    return {mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.z, b.z, t)};
  }
};

void mixed_tiles(const Job& job, std::size_t begin, std::size_t end) {
  if (job.plan->map == BoneMap::stbs) {
    run_method<Mixed<StbsLinear, DualQuaternion<StbsMotions, true>>>(job, begin, end);
  } else {
    run_method<Mixed<Linear<1>, DualQuaternion<PlainMotions, true>>>(job, begin, end);
  }
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(mixed_tiles);

void deform_mixed(const Job& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(mixed_tiles)(job, begin, end);
}

}  // namespace sinew::kernels
#endif
