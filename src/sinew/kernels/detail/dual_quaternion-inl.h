// SPDX-License-Identifier: Apache-2.0
// Dual quaternion blending in two phases (Kavan et al. 2008), plain and with stretchable, twistable
// bones (Jacobson and Sorkine 2011, eq. 6).
#if defined(SINEW_KERNELS_DUAL_QUATERNION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_DUAL_QUATERNION_INL
#undef SINEW_KERNELS_DUAL_QUATERNION_INL
#else
#define SINEW_KERNELS_DUAL_QUATERNION_INL
#endif

#include "sinew/kernels/detail/motion_slopes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

// The rotation matrix of a nonzero quaternion; `scale` is 2 / its squared length.
SINEW_KERNEL_INLINE M3 rotation_matrix(const V4& q, V scale) {
  const V one = constant(1.0f);
  const V sx = hn::Mul(q.x, scale), sy = hn::Mul(q.y, scale), sz = hn::Mul(q.z, scale);
  const V wx = hn::Mul(q.w, sx), wy = hn::Mul(q.w, sy), wz = hn::Mul(q.w, sz);
  const V xx = hn::Mul(q.x, sx), yy = hn::Mul(q.y, sy), zz = hn::Mul(q.z, sz);
  const V xy = hn::Mul(q.x, sy), xz = hn::Mul(q.x, sz), yz = hn::Mul(q.y, sz);
  return {hn::Sub(one, hn::Add(yy, zz)), hn::Sub(xy, wz), hn::Add(xz, wy), hn::Add(xy, wz),
          hn::Sub(one, hn::Add(xx, zz)), hn::Sub(yz, wx), hn::Sub(xz, wy), hn::Add(yz, wx),
          hn::Sub(one, hn::Add(xx, yy))};
}

SINEW_KERNEL_INLINE M3 product(const M3& a, const M3& b) {
  const V3 o = zero3();
  const V3 x = transform(a, {b.xx, b.yx, b.zx}, o);
  const V3 y = transform(a, {b.xy, b.yy, b.zy}, o);
  const V3 z = transform(a, {b.xz, b.yz, b.zz}, o);
  return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}

// kBefore: whether a non-rigid part is applied before the motions.
template <class Motions, bool kBefore>
struct DualQuaternion {
  static constexpr bool kIsPart = true;

  template <bool kSurface>
  SINEW_KERNEL_INLINE static DeformedLanes deform(const Job& job, const Lanes& lanes,
                                                  const V3& rest) {
    const std::size_t kind = job.rig->kinds[lanes.slot / tile_size];
    const bool in_hemisphere = job.pose->in_hemisphere[kind] != 0;
    V3 p = rest;
    MapSum before = zero_map();
    bool has_before = false;
    if constexpr (kBefore) {
      // Not together with the motions, whose sums fill the registers.
      has_before = job.pose->any_before && blend_before(job, lanes, before);
      if (has_before) p = transform(before.m, rest, add(before.t, p));
    }
    const auto [sum, pivot] =
        in_hemisphere ? blended<false>(job, lanes) : blended<true>(job, lanes);

    // p + 2 / |r|^2 (v x (v x p + w p + d_v) + w d_v - d_w v). All terms of the sum have the sign
    // of the pivot, so |r| is at least the pivot's weight.
    const V scale = hn::Div(constant(2.0f), dot(sum.real, sum.real));
    const V3 v{sum.real.x, sum.real.y, sum.real.z}, dv{sum.dual.x, sum.dual.y, sum.dual.z};
    const V3 inner = mul_add(p, sum.real.w, dv);
    const V3 outer = cross(v, add(cross(v, p), inner));
    const V3 moved = mul_add(dv, sum.real.w, mul_add(v, hn::Neg(sum.dual.w), outer));
    DeformedLanes result{mul_add(moved, scale, p), before.m};
    if constexpr (kSurface) {
      if (lanes.slope_count > 0) {
        result.slopes = dual_quaternion_slopes<Motions, kBefore>(job, lanes, rest, result.position,
                                                                 sum, scale, !in_hemisphere, pivot);
      }
      if (kBefore && has_before) {
        const V one = constant(1.0f);
        before.m.xx = hn::Add(before.m.xx, one);
        before.m.yy = hn::Add(before.m.yy, one);
        before.m.zz = hn::Add(before.m.zz, one);
        result.derivative = product(rotation_matrix(sum.real, scale), before.m);
      } else {
        result.is_rotation = true;
        result.rotation = sum.real;
        result.rotation_scale = scale;
      }
    }
    return result;
  }

 private:
  struct Blended {
    MotionSum motion;
    V4 pivot;  // the rotation that gives the others their sign
  };

  // First phase: the non-rigid parts, blended linearly, minus the identity. Whether there are any.
  SINEW_KERNEL_INLINE static bool blend_before(const Job& job, const Lanes& lanes, MapSum& before) {
    const PackedPose& pose = *job.pose;
    bool has_before = false;
    for (std::size_t i = 0; i < lanes.entry_count; ++i) {
      const std::uint32_t bone = lanes.entries[i].bone;
      if (pose.has_before[bone] == 0) continue;
      has_before = true;
      add_map(before, lanes.weight(i), pose.before[bone]);
    }
    return has_before;
  }

  template <bool kSigned>
  SINEW_KERNEL_INLINE static Blended blended(const Job& job, const Lanes& lanes) {
    const V o = hn::Zero(D());
    Motions motions(job, lanes);
    V4 pivot{o, o, o, o};
    if constexpr (kSigned) {
      pivot = motions.rotation(0);
      for (std::size_t i = 1; i < lanes.entry_count; ++i) {
        const Entry& entry = lanes.entries[i];
        if (entry.pivot_lanes == 0) continue;
        const auto mask = pivot_mask(entry, lanes.lane);
        const V4 own = motions.rotation(i);
        pivot = {hn::IfThenElse(mask, own.x, pivot.x), hn::IfThenElse(mask, own.y, pivot.y),
                 hn::IfThenElse(mask, own.z, pivot.z), hn::IfThenElse(mask, own.w, pivot.w)};
      }
    }
    Blended result{{{o, o, o, o}, {o, o, o, o}}, pivot};
    for (std::size_t i = 0; i < lanes.entry_count; ++i) {
      motions.template add<kSigned>(result.motion, i, lanes.weight(i), pivot);
    }
    if constexpr (!kSigned) result.pivot = result.motion.real;
    return result;
  }
};

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
