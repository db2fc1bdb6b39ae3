// SPDX-License-Identifier: Apache-2.0
// What the slopes of weights and endpoint weights add to the derivative of dual quaternion
// blending.
#if defined(SINEW_KERNELS_MOTION_SLOPES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_MOTION_SLOPES_INL
#undef SINEW_KERNELS_MOTION_SLOPES_INL
#else
#define SINEW_KERNELS_MOTION_SLOPES_INL
#endif

#include "sinew/kernels/detail/motions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

// How the blended motion changes along the two directions.
struct MotionSlopes {
  V4 real_s, dual_s, real_t, dual_t;
};

SINEW_KERNEL_INLINE void add_motion(MotionSlopes& sum, const MotionSum& motion, V s, V t) {
  sum.real_s = mul_add(motion.real, s, sum.real_s);
  sum.dual_s = mul_add(motion.dual, s, sum.dual_s);
  sum.real_t = mul_add(motion.real, t, sum.real_t);
  sum.dual_t = mul_add(motion.dual, t, sum.dual_t);
}

// The quaternion (v, 0) times q.
SINEW_KERNEL_INLINE V4 pure_times(const V3& v, const V4& q) {
  const V3 turned = mul_add(v, q.w, cross(v, {q.x, q.y, q.z}));
  return {turned.x, turned.y, turned.z, hn::Neg(dot(v, {q.x, q.y, q.z}))};
}

// q times the quaternion (v, 0), and something added.
SINEW_KERNEL_INLINE V4 times_pure(const V4& q, const V3& v, const V4& more) {
  const V3 turned = add(mul_add(v, q.w, cross({q.x, q.y, q.z}, v)), {more.x, more.y, more.z});
  return {turned.x, turned.y, turned.z, hn::Sub(more.w, dot({q.x, q.y, q.z}, v))};
}

// Of a b*.
SINEW_KERNEL_INLINE V3 vector_part(const V4& a, const V4& b) {
  const V3 v{a.x, a.y, a.z}, u{b.x, b.y, b.z};
  return mul_add(v, b.w, mul_add(u, hn::Neg(a.w), cross(u, v)));
}

// `is_signed`: whether the sum took the signs that agree with the pivot.
template <class Motions>
SINEW_KERNEL_INLINE MotionSlopes motion_slopes(const Job& job, const Lanes& lanes, bool is_signed,
                                               const V4& pivot) {
  const PackedRig& rig = *job.rig;
  const PackedPose& pose = *job.pose;
  const std::size_t own_entries = rig.first_entry.back();
  const V o = hn::Zero(D());
  const Motions motions(job, lanes);
  MotionSlopes sum{{o, o, o, o}, {o, o, o, o}, {o, o, o, o}, {o, o, o, o}};
  for (std::size_t i = 0; i < lanes.slope_count; ++i) {
    const Slope& slope = lanes.slopes[i];
    const Entry& entry = rig.entries[slope.entry];
    const MotionSum motion = motions.motion(entry);
    // Whether neighbours' bones agree has not been looked at.
    V sign = o;
    if (is_signed || slope.entry >= own_entries) sign = with_sign(o, motion.real, pivot);
    const Along<V> w = weight_slope(lanes, i);
    add_motion(sum, motion, hn::Xor(w.s, sign), hn::Xor(w.t, sign));
    if constexpr (Motions::kStrained) {
      const int moves = pose.moves[entry.bone];
      if (slope.endpoints == no_endpoints || moves == 0) continue;
      const Rate& rate = pose.rates[entry.bone];
      const V half = hn::Xor(constant(0.5f), sign);
      if ((moves & twists) != 0) {
        const V3 axis = constant3(rate.axis.data());
        const V4 shifted = pure_times(constant3(rate.shift.data()), motion.real);
        const Along<V> by = twist_slope(rig, slope, lanes.lane);
        add_motion(sum,
                   {pure_times(axis, motion.real), add(pure_times(axis, motion.dual), shifted)},
                   hn::Mul(half, by.s), hn::Mul(half, by.t));
      }
      if ((moves & stretches) != 0) {
        const V4 shifted = pure_times(constant3(rate.stretch.data()), motion.real);
        const Along<V> by = stretch_slope(rig, slope, lanes.lane);
        sum.dual_s = mul_add(shifted, hn::Mul(half, by.s), sum.dual_s);
        sum.dual_t = mul_add(shifted, hn::Mul(half, by.t), sum.dual_t);
      }
    }
  }
  return sum;
}

// Of what acts before the motions.
SINEW_KERNEL_INLINE Along<V3> before_slopes(const Job& job, const Lanes& lanes, const V3& rest) {
  Along<V3> sum{zero3(), zero3()};
  for (std::size_t i = 0; i < lanes.slope_count; ++i) {
    const std::uint32_t bone = job.rig->entries[lanes.slopes[i].entry].bone;
    if (job.pose->has_before[bone] == 0) continue;
    add_along(sum, transform(job.pose->before[bone], rest), weight_slope(lanes, i));
  }
  return sum;
}

// The slope of a point p moved to `position`, r and d being the parts of the blended motion, r' and
// d' their slopes. The position is F / |r|^2 with F the vector part of (r p + 2 d) r*, so that its
// slope is (F' - 2 (r . r') F / |r|^2) / |r|^2, and F' / 2 the vector part of
// (r' p / 2 + d' + r p' / 2) r* + (r p / 2 + d) r'*. `inner` is r p / 2 + d; r p' / 2 is part of
// `dual_slope`.
SINEW_KERNEL_INLINE V3 point_slope(const V4& real, const V4& inner, const V3& half,
                                   const V3& position, V scale, const V4& real_slope,
                                   const V4& dual_slope) {
  const V4 inner_slope = times_pure(real_slope, half, dual_slope);
  const V3 turned = add(vector_part(inner_slope, real), vector_part(inner, real_slope));
  return mul(mul_add(position, hn::Neg(dot(real, real_slope)), turned), scale);
}

// What slopes add: p is where the blended motion takes `position` from, scale 2 / |r|^2.
template <class Motions>
SINEW_KERNEL_INLINE Along<V3> dual_quaternion_slopes(const Job& job, const Lanes& lanes,
                                                     const V3& rest, const V3& p,
                                                     const V3& position, const MotionSum& motion,
                                                     V scale, bool is_signed, const V4& pivot) {
  MotionSlopes slopes = motion_slopes<Motions>(job, lanes, is_signed, pivot);
  if (job.pose->any_before) {
    const Along<V3> before = before_slopes(job, lanes, rest);
    slopes.dual_s = times_pure(motion.real, mul(before.s, constant(0.5f)), slopes.dual_s);
    slopes.dual_t = times_pure(motion.real, mul(before.t, constant(0.5f)), slopes.dual_t);
  }
  const V3 half = mul(p, constant(0.5f));
  const V4 inner = times_pure(motion.real, half, motion.dual);
  return {point_slope(motion.real, inner, half, position, scale, slopes.real_s, slopes.dual_s),
          point_slope(motion.real, inner, half, position, scale, slopes.real_t, slopes.dual_t)};
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
