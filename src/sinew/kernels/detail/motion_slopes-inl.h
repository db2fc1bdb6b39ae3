// SPDX-License-Identifier: Apache-2.0
// The contribution of the gradients of weights and endpoint weights to the derivative of dual
// quaternion blending.
#if defined(SINEW_KERNELS_MOTION_SLOPES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_MOTION_SLOPES_INL
#undef SINEW_KERNELS_MOTION_SLOPES_INL
#else
#define SINEW_KERNELS_MOTION_SLOPES_INL
#endif

#include "sinew/kernels/detail/motions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

// Derivatives of the blended motion along the two directions s and t.
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

// The vector part of a b*.
SINEW_KERNEL_INLINE V3 vector_part(const V4& a, const V4& b) {
  const V3 v{a.x, a.y, a.z}, u{b.x, b.y, b.z};
  return mul_add(v, b.w, mul_add(u, hn::Neg(a.w), cross(u, v)));
}

// For a bone whose endpoint weights are the same in all lanes, but change along the surface.
SINEW_KERNEL_INLINE void add_rates(MotionSlopes& sum, const Job& job, const Lanes& lanes,
                                   const Slope& slope, std::uint32_t bone, const MotionSum& motion,
                                   V sign) {
  const int moves = job.pose->moves[bone];
  if (slope.endpoints == no_endpoints || moves == 0) return;
  const Rate& rate = job.pose->rates[bone];
  const V half = hn::Xor(constant(0.5f), sign);
  if ((moves & twists) != 0) {
    const V3 axis = constant3(rate.axis.data());
    const V4 shifted = pure_times(constant3(rate.shift.data()), motion.real);
    const Along<V> by = twist_slope(*job.rig, slope, lanes.lane);
    add_motion(sum, {pure_times(axis, motion.real), add(pure_times(axis, motion.dual), shifted)},
               hn::Mul(half, by.s), hn::Mul(half, by.t));
  }
  if ((moves & stretches) != 0) {
    const V4 shifted = pure_times(constant3(rate.stretch_vector.data()), motion.real);
    const Along<V> by = stretch_slope(*job.rig, slope, lanes.lane);
    sum.dual_s = mul_add(shifted, hn::Mul(half, by.s), sum.dual_s);
    sum.dual_t = mul_add(shifted, hn::Mul(half, by.t), sum.dual_t);
  }
}

// For a bone that twists along its length: derivatives of the cosine and sine terms of the motion,
// and of both times e.
SINEW_KERNEL_INLINE void add_turning(V4& real, V4& dual, const TurningMotion& bone,
                                     const SinCos& turn, V e, V w, V angle, V stretch) {
  const V c = hn::NegMulAdd(angle, turn.sin, hn::Mul(w, turn.cos));
  const V s = hn::MulAdd(angle, turn.cos, hn::Mul(w, turn.sin));
  const V ec = hn::MulAdd(e, c, hn::Mul(stretch, turn.cos));
  const V es = hn::MulAdd(e, s, hn::Mul(stretch, turn.sin));
  real = mul_add(constant4(bone.real_cosine.data()), c, real);
  real = mul_add(constant4(bone.real_sine.data()), s, real);
  dual = mul_add(constant4(bone.dual_cosine.data()), c, dual);
  dual = mul_add(constant4(bone.dual_sine.data()), s, dual);
  dual = mul_add(constant4(bone.stretch_cosine.data()), ec, dual);
  dual = mul_add(constant4(bone.stretch_sine.data()), es, dual);
}

// `is_signed`: whether the blend used signs that agree with the pivot.
template <class Motions>
SINEW_KERNEL_INLINE MotionSlopes motion_slopes(const Job& job, const Lanes& lanes, bool is_signed,
                                               const V4& pivot) {
  const PackedRig& rig = *job.rig;
  const std::size_t own_entries = rig.first_entry.back();
  const V o = hn::Zero(D());
  const Motions motions(job, lanes);
  MotionSlopes sum{{o, o, o, o}, {o, o, o, o}, {o, o, o, o}, {o, o, o, o}};
  for (std::size_t i = 0; i < lanes.slope_count; ++i) {
    const Slope& slope = lanes.slopes[i];
    const Entry& entry = rig.entries[slope.entry];
    // Bones of neighbours have not been checked for agreement.
    const bool asks_sign = is_signed || slope.entry >= own_entries;
    const Along<V> w = weight_slope(lanes, i);
    if constexpr (Motions::kStrained) {
      if (motions.turns(entry)) {
        const TurningMotion& bone = job.pose->turning_motions[entry.bone];
        SinCos turn = motions.new_turn(entry);
        if (asks_sign) {
          const V sign = with_sign(o, motions.turned(bone, turn), pivot);
          turn = {hn::Xor(turn.sin, sign), hn::Xor(turn.cos, sign)};
        }
        Along<V> angle{o, o}, stretch{o, o};
        if (slope.endpoints != no_endpoints) {
          const V angle_range = constant(static_cast<float>(pi) * bone.half_turns);
          const Along<V> twist = twist_slope(rig, slope, lanes.lane);
          angle = {hn::Mul(angle_range, twist.s), hn::Mul(angle_range, twist.t)};
          stretch = stretch_slope(rig, slope, lanes.lane);
        }
        const V e = stretch_of(rig, entry, lanes.lane);
        add_turning(sum.real_s, sum.dual_s, bone, turn, e, w.s, angle.s, stretch.s);
        add_turning(sum.real_t, sum.dual_t, bone, turn, e, w.t, angle.t, stretch.t);
        continue;
      }
    }
    const MotionSum motion = motions.motion(entry);
    const V sign = asks_sign ? with_sign(o, motion.real, pivot) : o;
    add_motion(sum, motion, hn::Xor(w.s, sign), hn::Xor(w.t, sign));
    if constexpr (Motions::kStrained) {
      add_rates(sum, job, lanes, slope, entry.bone, motion, sign);
    }
  }
  return sum;
}

// The blended motion, with real part r and dual part d, and the points that it maps the lanes to.
class BlendedMotion {
 public:
  SINEW_KERNEL_INLINE BlendedMotion(const MotionSum& sum, const V3& position, V scale)
      : real_(sum.real), scale_(scale) {
    const V half = hn::Mul(constant(0.5f), scale);
    half_t_ = mul(vector_part(sum.dual, sum.real), half);
    half_w_ = hn::Mul(dot(sum.dual, sum.real), half);
    arm_ = sub(position, half_t_);
  }

  // The derivative of the points when r and d change by r' and d'. With h = r' r*, k = d' r* and t
  // = 2 d r* / |r|^2 that is, scale being 2 / |r|^2,
  //   scale (h_v x (position - t_v / 2) + k_v - h_w t_v / 2 - t_w h_v / 2);
  // here without the scale.
  SINEW_KERNEL_INLINE V3 moved(const V4& real, const V4& dual) const {
    const V3 h = vector_part(real, real_);
    const V3 k = add(vector_part(dual, real_), cross(h, arm_));
    return sub(k, mul_add(half_t_, dot(real, real_), mul(h, half_w_)));
  }
  SINEW_KERNEL_INLINE Along<V3> scaled(const Along<V3>& a) const {
    return {mul(a.s, scale_), mul(a.t, scale_)};
  }
  SINEW_KERNEL_INLINE V3 turned(const V3& v) const { return rotated(real_, scale_, v); }

 private:
  V4 real_;
  V scale_;
  V3 half_t_, arm_;
  V half_w_;
};

// Bone by bone, for motions that are the same in all lanes. Slopes of weights sum to 0, so the
// first bone can be skipped if the others are taken relative to it.
SINEW_KERNEL_INLINE Along<V3> plain_slopes(const Job& job, const Lanes& lanes, bool is_signed,
                                           const V4& pivot, const BlendedMotion& blended) {
  const std::size_t own_entries = job.rig->first_entry.back();
  const PlainMotions motions(job, lanes);
  const auto motion_at = [&](std::size_t i) HWY_ATTR {
    const std::uint32_t entry = lanes.slopes[i].entry;
    const MotionSum motion = motions.motion(job.rig->entries[entry]);
    if (!is_signed && entry < own_entries) return motion;
    const V sign = with_sign(constant(1.0f), motion.real, pivot);
    return MotionSum{mul(motion.real, sign), mul(motion.dual, sign)};
  };
  const MotionSum first = motion_at(0);
  Along<V3> sum{zero3(), zero3()};
  for (std::size_t i = 1; i < lanes.slope_count; ++i) {
    const MotionSum motion = motion_at(i);
    add_along(sum, blended.moved(sub(motion.real, first.real), sub(motion.dual, first.dual)),
              weight_slope(lanes, i));
  }
  return sum;
}

// For the non-rigid part that is applied before the motions.
SINEW_KERNEL_INLINE void add_before_slopes(Along<V3>& sum, const Job& job, const Lanes& lanes,
                                           const V3& rest, const BlendedMotion& blended) {
  Along<V3> before{zero3(), zero3()};
  bool any = false;
  for (std::size_t i = 0; i < lanes.slope_count; ++i) {
    const std::uint32_t bone = job.rig->entries[lanes.slopes[i].entry].bone;
    if (job.pose->has_before[bone] == 0) continue;
    any = true;
    add_along(before, transform(job.pose->before[bone], rest), weight_slope(lanes, i));
  }
  if (!any) return;
  sum.s = add(sum.s, blended.turned(before.s));
  sum.t = add(sum.t, blended.turned(before.t));
}

// The contribution of slopes at `position`, the image of the lanes under the blended motion; scale
// is 2 / |r|^2.
template <class Motions, bool kBefore>
SINEW_KERNEL_INLINE Along<V3> dual_quaternion_slopes(const Job& job, const Lanes& lanes,
                                                     const V3& rest, const V3& position,
                                                     const MotionSum& motion, V scale,
                                                     bool is_signed, const V4& pivot) {
  Along<V3> result;
  if constexpr (Motions::kStrained) {
    const MotionSlopes slopes = motion_slopes<Motions>(job, lanes, is_signed, pivot);
    const BlendedMotion blended(motion, position, scale);
    result = blended.scaled(
        {blended.moved(slopes.real_s, slopes.dual_s), blended.moved(slopes.real_t, slopes.dual_t)});
    if constexpr (kBefore) add_before_slopes(result, job, lanes, rest, blended);
  } else {
    const BlendedMotion blended(motion, position, scale);
    result = blended.scaled(plain_slopes(job, lanes, is_signed, pivot, blended));
    if constexpr (kBefore) add_before_slopes(result, job, lanes, rest, blended);
  }
  return result;
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
