// SPDX-License-Identifier: Apache-2.0
// Stretch It (Yang and Zhang 2006); reference/stretch_it.h lists the corrected equations.
#if defined(SINEW_KERNELS_STRETCH_IT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_STRETCH_IT_INL
#undef SINEW_KERNELS_STRETCH_IT_INL
#else
#define SINEW_KERNELS_STRETCH_IT_INL
#endif

#include "sinew/kernels/detail/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

struct StretchItLanes {
  template <bool kSurface>
  SINEW_KERNEL_INLINE static DeformedLanes deform(const Job& job, const Lanes& lanes, const V3& p) {
    if constexpr (!kSurface) return {positions(job, lanes, p), zero_map().m};
    const PackedPose& pose = *job.pose;
    const SinCos turn = blended_turn(pose, lanes);
    DeformedLanes result{zero3(), zero_map().m};
    V3 turning = zero3();  // with kSurface: derivative by the blended twist
    for (std::size_t i = 0; i < lanes.entry_count; ++i) {  // eq. 10
      const V w = lanes.weight(i);
      const Placed placed = place(pose, lanes.entries[i].bone, p, turn);
      result.position = mul_add(placed.position, w, result.position);
      add_derivative(result.derivative, w, placed);
      turning = mul_add(rate(placed), w, turning);
    }
    const Along<V> twist_slope = slope_of_twist(job, lanes);
    result.slopes = {mul(turning, twist_slope.s), mul(turning, twist_slope.t)};
    for (std::size_t i = 0; i < lanes.slope_count; ++i) {
      const std::uint32_t bone = job.rig->entries[lanes.slopes[i].entry].bone;
      add_along(result.slopes, place(pose, bone, p, turn).position, weight_slope(lanes, i));
    }
    for_each_joint(job, lanes, [&](std::size_t i) HWY_ATTR {
      push_out_surface(job, lanes, p, turn, twist_slope, i, result);
    });
    return result;
  }

 private:
  // The sine and cosine of alpha', eq. 8; the bones' own twists are part of their `in`.
  SINEW_KERNEL_INLINE static SinCos blended_turn(const PackedPose& pose, const Lanes& lanes) {
    V twist = hn::Zero(D());
    for (std::size_t i = 0; i < lanes.entry_count; ++i) {
      const float own = pose.accumulated_twist[lanes.entries[i].bone];
      twist = hn::MulAdd(lanes.weight(i), constant(own), twist);
    }
    return sincos_half_turns(twist);
  }

  // Calls push(entry) for the tile's joints that push out, in the order of the settings.
  template <class Push>
  SINEW_KERNEL_INLINE static void for_each_joint(const Job& job, const Lanes& lanes,
                                                 const Push& push) {
    const std::vector<std::uint8_t>& in_order = job.plan->collapses;
    if (!in_order.empty()) {
      for (std::size_t i = 0; i < lanes.entry_count; ++i) {
        if (in_order[lanes.entries[i].bone] != 0) push(i);
      }
      return;
    }
    for (const int joint : job.plan->collapsing) {
      for (std::size_t i = 0; i < lanes.entry_count; ++i) {
        if (lanes.entries[i].bone == static_cast<std::uint32_t>(joint)) push(i);
      }
    }
  }

  SINEW_KERNEL_INLINE static V3 positions(const Job& job, const Lanes& lanes, const V3& p) {
    const PackedPose& pose = *job.pose;
    // Bones with the same twist do not turn against each other.
    bool turns = false;
    const float first_twist = pose.accumulated_twist[lanes.entries[0].bone];
    for (std::size_t i = 1; i < lanes.entry_count; ++i) {
      turns = turns || pose.accumulated_twist[lanes.entries[i].bone] != first_twist;
    }
    SinCos turn{};
    if (turns) turn = blended_turn(pose, lanes);
    const auto placed = [&](std::size_t i) HWY_ATTR {
      const std::uint32_t b = lanes.entries[i].bone;
      return turns ? place(pose, b, p, turn).position : transform(pose.matrices[b], p);
    };
    constexpr std::size_t kept = 8;
    V3 places[kept];
    V3 sum = zero3();
    for (std::size_t i = 0; i < lanes.entry_count; ++i) {  // eq. 10
      const V3 q = placed(i);
      if (i < kept) places[i] = q;
      sum = mul_add(q, lanes.weight(i), sum);
    }
    // A single bone, whose weights are 1, pushes nothing out.
    if (lanes.entry_count == 1) return sum;
    for_each_joint(job, lanes, [&](std::size_t joint) HWY_ATTR {
      const V one = constant(1.0f), o = hn::Zero(D());
      const V off = hn::Sub(lanes.weight(joint), constant(0.5f));
      const V beta = hn::NegMulAdd(hn::Mul(constant(4.0f), off), off, one);
      if (hn::AllFalse(D(), hn::Gt(beta, o))) return;
      const MatrixRows& out = pose.turning[lanes.entries[joint].bone].out;
      const V3 center{constant(out[3]), constant(out[7]), constant(out[11])};
      V mean = o;  // l_1
      for (std::size_t i = 0; i < lanes.entry_count; ++i) {
        const V3 arm = sub(i < kept ? places[i] : placed(i), center);
        mean = hn::MulAdd(lanes.weight(i), hn::Sqrt(dot(arm, arm)), mean);
      }
      sum = pushed_out(sum, sub(sum, center), beta, mean);
    });
    return sum;
  }

  // P' = C + (P - C) l' / l_2 with l' = beta l_1 + (1 - beta) l_2, so that the factor is
  // 1 + beta (l_1 / l_2 - 1). `arm` is P - C, `mean` is l_1.
  SINEW_KERNEL_INLINE static V3 pushed_out(const V3& point, const V3& arm, V beta, V mean) {
    const V one = constant(1.0f), o = hn::Zero(D());
    const V squared = dot(arm, arm);
    const V inverse = inverse_sqrt(squared);
    const V push = hn::IfThenElseZero(hn::And(hn::Gt(beta, o), hn::Gt(squared, constant(1e-36f))),
                                      hn::Mul(beta, hn::MulSub(mean, inverse, one)));
    return mul_add(arm, push, point);
  }

  // The point transformed by a single bone, and the turn from which its derivative is computed.
  struct Placed {
    V3 position;
    V3 turned;  // in the bone's frame
    SinCos turn;
    const TurningBone* bone;
  };

  SINEW_KERNEL_INLINE static Placed place(const PackedPose& pose, std::uint32_t b, const V3& p,
                                          const SinCos& turn) {
    const TurningBone& bone = pose.turning[b];
    const V3 y = transform(bone.in, p);
    const V3 turned{y.x, hn::MulSub(turn.cos, y.y, hn::Mul(turn.sin, y.z)),
                    hn::MulAdd(turn.sin, y.y, hn::Mul(turn.cos, y.z))};
    return {transform(bone.out, turned), turned, turn, &bone};
  }

  // The derivative per half turn of twist.
  SINEW_KERNEL_INLINE static V3 rate(const Placed& placed) {
    const MatrixRows& out = placed.bone->out;
    const V y = hn::Mul(constant(static_cast<float>(-pi)), placed.turned.z);
    const V z = hn::Mul(constant(static_cast<float>(pi)), placed.turned.y);
    const auto row = [&](std::size_t i) HWY_ATTR {
      return hn::MulAdd(constant(out[i + 1]), y, hn::Mul(constant(out[i + 2]), z));
    };
    return {row(0), row(4), row(8)};
  }

  SINEW_KERNEL_INLINE static Along<V> slope_of_twist(const Job& job, const Lanes& lanes) {
    Along<V> sum{hn::Zero(D()), hn::Zero(D())};
    for (std::size_t i = 0; i < lanes.slope_count; ++i) {
      const std::uint32_t bone = job.rig->entries[lanes.slopes[i].entry].bone;
      const V own = constant(job.pose->accumulated_twist[bone]);
      const Along<V> w = weight_slope(lanes, i);
      sum = {hn::MulAdd(w.s, own, sum.s), hn::MulAdd(w.t, own, sum.t)};
    }
    return sum;
  }

  SINEW_KERNEL_INLINE static void add_derivative(M3& sum, V w, const Placed& placed) {
    add_linear(sum, w, placed.bone->fixed);
    add_linear(sum, hn::Mul(w, placed.turn.cos), placed.bone->cosine);
    add_linear(sum, hn::Mul(w, placed.turn.sin), placed.bone->sine);
  }

  SINEW_KERNEL_INLINE static V3 transposed_times(const M3& m, const V3& v) {
    return {dot({m.xx, m.yx, m.zx}, v), dot({m.xy, m.yy, m.zy}, v), dot({m.xz, m.yz, m.zz}, v)};
  }

  // pushed_out(), with derivatives.
  SINEW_KERNEL_INLINE static void push_out_surface(const Job& job, const Lanes& lanes, const V3& p,
                                                   const SinCos& turn, const Along<V>& twist_slope,
                                                   std::size_t joint, DeformedLanes& result) {
    const PackedPose& pose = *job.pose;
    const V one = constant(1.0f), o = hn::Zero(D());
    const MatrixRows& out = pose.turning[lanes.entries[joint].bone].out;
    const V3 center{constant(out[3]), constant(out[7]), constant(out[11])};
    const V off = hn::Sub(lanes.weight(joint), constant(0.5f));
    const V beta = hn::NegMulAdd(hn::Mul(constant(4.0f), off), off, one);
    V mean = o;  // l_1
    V mean_turning = o;
    V3 mean_slope = zero3();
    for (std::size_t i = 0; i < lanes.entry_count; ++i) {
      const V w = lanes.weight(i);
      const Placed placed = place(pose, lanes.entries[i].bone, p, turn);
      const V3 arm = sub(placed.position, center);
      const V length = hn::Sqrt(dot(arm, arm));
      mean = hn::MulAdd(w, length, mean);
      M3 own = zero_map().m;
      add_derivative(own, one, placed);
      const V inverse = hn::IfThenElseZero(hn::Gt(length, o), hn::Div(w, length));
      mean_slope = mul_add(transposed_times(own, arm), inverse, mean_slope);
      mean_turning = hn::MulAdd(dot(arm, rate(placed)), inverse, mean_turning);
    }
    const V3 arm = sub(result.position, center);
    const V now = hn::Sqrt(dot(arm, arm));  // l_2
    const V inverse = hn::IfThenElseZero(hn::Gt(now, o), hn::Div(one, now));
    const V push = hn::IfThenElseZero(hn::And(hn::Gt(beta, o), hn::Gt(now, o)),
                                      hn::Mul(beta, hn::MulSub(mean, inverse, one)));
    result.position = mul_add(arm, push, result.position);
    // The factor's gradient: beta (l_1' - l_1 / l_2 l_2') / l_2, with l_2' = J^T arm / l_2.
    const V3 now_slope = mul(transposed_times(result.derivative, arm), inverse);
    const V3 slope = mul(mul_add(now_slope, hn::Neg(hn::Mul(mean, inverse)), mean_slope),
                         hn::Mul(hn::Max(beta, o), inverse));
    const V factor = hn::Add(one, push);
    // The same for the contribution of slopes, with beta' = -8 (w - 1/2) w'; one-sided at w = 0.
    Along<V> beta_slope{o, o};
    Along<V> mean_along{hn::Mul(mean_turning, twist_slope.s), hn::Mul(mean_turning, twist_slope.t)};
    for (std::size_t i = 0; i < lanes.slope_count; ++i) {
      const std::uint32_t bone = job.rig->entries[lanes.slopes[i].entry].bone;
      const Along<V> w = weight_slope(lanes, i);
      const V3 to = sub(place(pose, bone, p, turn).position, center);
      const V length = hn::Sqrt(dot(to, to));
      mean_along = {hn::MulAdd(w.s, length, mean_along.s), hn::MulAdd(w.t, length, mean_along.t)};
      if (bone != lanes.entries[joint].bone) continue;
      const V steep =
          hn::Mul(off, hn::IfThenElse(hn::Gt(beta, o), constant(-8.0f), constant(-4.0f)));
      beta_slope = {hn::Mul(steep, w.s), hn::Mul(steep, w.t)};
    }
    const V ratio = hn::Mul(mean, inverse);
    const auto pushed = [&](const V3& own, V mean_here, V beta_here) HWY_ATTR {
      const V now_here = hn::Mul(dot(arm, own), inverse);
      const V change =
          hn::MulAdd(hn::Mul(hn::Max(beta, o), inverse), hn::NegMulAdd(ratio, now_here, mean_here),
                     hn::Mul(beta_here, hn::Sub(ratio, one)));
      return mul_add(own, factor, mul(arm, change));
    };
    result.slopes = {pushed(result.slopes.s, mean_along.s, beta_slope.s),
                     pushed(result.slopes.t, mean_along.t, beta_slope.t)};
    M3& j = result.derivative;
    j = {hn::MulAdd(j.xx, factor, hn::Mul(arm.x, slope.x)),
         hn::MulAdd(j.xy, factor, hn::Mul(arm.x, slope.y)),
         hn::MulAdd(j.xz, factor, hn::Mul(arm.x, slope.z)),
         hn::MulAdd(j.yx, factor, hn::Mul(arm.y, slope.x)),
         hn::MulAdd(j.yy, factor, hn::Mul(arm.y, slope.y)),
         hn::MulAdd(j.yz, factor, hn::Mul(arm.y, slope.z)),
         hn::MulAdd(j.zx, factor, hn::Mul(arm.z, slope.x)),
         hn::MulAdd(j.zy, factor, hn::Mul(arm.z, slope.y)),
         hn::MulAdd(j.zz, factor, hn::Mul(arm.z, slope.z))};
  }
};

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
