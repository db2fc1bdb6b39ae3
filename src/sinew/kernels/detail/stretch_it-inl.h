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
    const SinCos turn = sincos_half_turns(blended_twist(pose, lanes));
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
  // alpha', eq. 8; the bones' own twists are part of their `in`.
  SINEW_KERNEL_INLINE static V blended_twist(const PackedPose& pose, const Lanes& lanes) {
    V twist = hn::Zero(D());
    for (std::size_t i = 0; i < lanes.entry_count; ++i) {
      const float own = pose.accumulated_twist[lanes.entries[i].bone];
      twist = hn::MulAdd(lanes.weight(i), constant(own), twist);
    }
    return twist;
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
    const std::uint32_t body = pose.bodies[lanes.entries[0].bone];
    bool bends = false;
    for (std::size_t i = 1; i < lanes.entry_count; ++i) {
      bends = bends || pose.bodies[lanes.entries[i].bone] != body;
    }
    // A single bone, or several that move as one: nothing collapses.
    if (!bends) return transform(pose.matrices[lanes.entries[0].bone], p);
    // Bones with the same twist do not turn against each other.
    const float first_twist = pose.accumulated_twist[lanes.entries[0].bone];
    bool turns = false;
    float largest = std::fabs(first_twist);
    for (std::size_t i = 1; i < lanes.entry_count; ++i) {
      const float own = pose.accumulated_twist[lanes.entries[i].bone];
      turns = turns || own != first_twist;
      largest = std::max(largest, std::fabs(own));
    }
    SinCos turn{};
    if (turns) {
      const V twist = blended_twist(pose, lanes);
      turn = largest <= 0.5f ? sincos_within_quarter(twist) : sincos_half_turns(twist);
    }
    const auto placed = [&](std::size_t i) HWY_ATTR {
      const std::uint32_t b = lanes.entries[i].bone;
      return turns ? place(pose, b, p, turn).position : transform(pose.matrices[b], p);
    };
    const std::vector<std::uint8_t>& in_order = job.plan->collapses;
    const auto collapses = [&](std::size_t i) { return in_order[lanes.entries[i].bone] != 0; };
    if (lanes.entry_count == 2 && !in_order.empty() && collapses(0) && collapses(1)) {
      return pushed_by_two(pose, lanes, p, placed(0), placed(1));
    }
    constexpr std::size_t kept = 8;
    V3 places[kept];
    V3 sum = zero3();
    for (std::size_t i = 0; i < lanes.entry_count; ++i) {  // eq. 10
      const V3 q = placed(i);
      if (i < kept) places[i] = q;
      sum = mul_add(q, lanes.weight(i), sum);
    }
    for_each_joint(job, lanes, [&](std::size_t joint) HWY_ATTR {
      const V3 center = center_of(pose, lanes.entries[joint].bone);
      V mean = hn::Zero(D());  // l_1
      for (std::size_t i = 0; i < lanes.entry_count; ++i) {
        const V away = distance(i < kept ? places[i] : placed(i), center);
        mean = hn::MulAdd(lanes.weight(i), away, mean);
      }
      sum = pushed_out(sum, center, lanes.weight(joint), mean);
    });
    return sum;
  }

  // The joints of both bones push out, as in most tiles that bend.
  SINEW_KERNEL_INLINE static V3 pushed_by_two(const PackedPose& pose, const Lanes& lanes,
                                              const V3& p, const V3& first, const V3& second) {
    const std::uint32_t bones[] = {lanes.entries[0].bone, lanes.entries[1].bone};
    const KeptDistance& kept = pose.kept_distances[bones[1]];
    const V3 centers[] = {center_of(pose, bones[0]), center_of(pose, bones[1])};
    const V w0 = lanes.weight(0), w1 = lanes.weight(1);
    V mean0 = hn::Mul(w0, distance(first, centers[0]));
    mean0 = hn::MulAdd(w1, distance(second, centers[0]), mean0);
    V mean1;
    if (kept.parent == bones[0]) {
      mean1 = hn::Mul(hn::Add(w0, w1), distance(p, constant3(kept.joint.data())));
    } else {
      mean1 = hn::Mul(w0, distance(first, centers[1]));
      mean1 = hn::MulAdd(w1, distance(second, centers[1]), mean1);
    }
    const V3 sum = mul_add(second, w1, mul(first, w0));  // eq. 10
    return pushed_out(pushed_out(sum, centers[0], w0, mean0), centers[1], w1, mean1);
  }

  SINEW_KERNEL_INLINE static V3 center_of(const PackedPose& pose, std::uint32_t bone) {
    const MatrixRows& out = pose.turning[bone].out;
    return {constant(out[3]), constant(out[7]), constant(out[11])};
  }

  SINEW_KERNEL_INLINE static V distance(const V3& a, const V3& b) {
    const V3 arm = sub(a, b);
    return hn::Sqrt(dot(arm, arm));
  }

  // P' = C + (P - C) l' / l_2 with l' = beta l_1 + (1 - beta) l_2, so that the factor is
  // 1 + beta (l_1 / l_2 - 1), and beta = 4 w_J (1 - w_J).
  SINEW_KERNEL_INLINE static V3 pushed_out(const V3& point, const V3& center, V weight, V mean) {
    const V beta = hn::Mul(hn::Mul(constant(4.0f), weight), hn::Sub(constant(1.0f), weight));
    const V3 arm = sub(point, center);
    const V inverse = inverse_sqrt(hn::Max(dot(arm, arm), constant(1e-36f)));
    return mul_add(arm, hn::Mul(beta, hn::MulSub(mean, inverse, constant(1.0f))), point);
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

  // Pushes the point out as positions() does, with derivatives.
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
