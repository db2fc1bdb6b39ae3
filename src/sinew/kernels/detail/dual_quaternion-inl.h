// SPDX-License-Identifier: Apache-2.0
// Dual quaternion blending in two phases (Kavan et al. 2008), and seed 000 eq. 6 over it.
#if defined(SINEW_KERNELS_DUAL_QUATERNION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_DUAL_QUATERNION_INL
#undef SINEW_KERNELS_DUAL_QUATERNION_INL
#else
#define SINEW_KERNELS_DUAL_QUATERNION_INL
#endif

#include "sinew/core/dual_quat.h"
#include "sinew/kernels/detail/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

struct MotionSum {
  V4 real, dual;
};

// The lanes whose largest weight is this entry's.
SINEW_KERNEL_INLINE hn::Mask<D> pivot_mask(const Entry& entry, std::size_t lane) {
  const std::uint64_t bits = static_cast<std::uint64_t>(entry.pivot_lanes) >> lane;
  std::uint8_t bytes[8];
  std::memcpy(bytes, &bits, sizeof(bytes));
  return hn::LoadMaskBits(D(), bytes);
}

// w with the sign that the quaternion needs to agree with the pivot (is_opposite).
SINEW_KERNEL_INLINE V with_sign(V w, const V4& q, const V4& pivot) {
  const V beyond = dot_add(q, pivot, constant(static_cast<float>(-half_turn_margin)));
  return hn::Xor(w, hn::And(beyond, constant(-0.0f)));
}

// Rotation matrix of a quaternion of any length but 0, `scale` being 2 / its squared length.
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

// The bones' motions, the same for all lanes. (kSigned: weights take the sign that agrees with the
// pivot's rotation; otherwise all are known to agree.)
class PlainMotions {
 public:
  SINEW_KERNEL_INLINE PlainMotions(const Job& job, const Lanes& lanes)
      : motions_(job.pose->motions.data()), entries_(lanes.entries) {}

  SINEW_KERNEL_INLINE V4 rotation(std::size_t i) {
    return constant4(motions_[entries_[i].bone].real.data());
  }
  // Adds the motion times w.
  template <bool kSigned>
  SINEW_KERNEL_INLINE void add(MotionSum& sum, std::size_t i, V w, const V4& pivot) const {
    add_motion<kSigned>(sum, motions_[entries_[i].bone], w, pivot);
  }
  template <bool kSigned>
  SINEW_KERNEL_INLINE static V add_motion(MotionSum& sum, const Motion& motion, V w,
                                          const V4& pivot) {
    const V4 real = constant4(motion.real.data());
    const V signed_w = kSigned ? with_sign(w, real, pivot) : w;
    sum.real = mul_add(real, signed_w, sum.real);
    sum.dual = mul_add(constant4(motion.dual.data()), signed_w, sum.dual);
    return signed_w;
  }

 private:
  const Motion* motions_;
  const Entry* entries_;
};

// Those of stretchable, twistable bones.
class StbsMotions {
 public:
  SINEW_KERNEL_INLINE StbsMotions(const Job& job, const Lanes& lanes)
      : rig_(*job.rig), pose_(*job.pose), entries_(lanes.entries), lane_(lanes.lane) {}

  SINEW_KERNEL_INLINE V4 rotation(std::size_t i) {
    const Entry& entry = entries_[i];
    if ((entry.varies & pose_.moves[entry.bone] & twist_varies) == 0) {
      return constant4(pose_.motions[4 * entry.bone + entry.corner].real.data());
    }
    const SinCos turn = new_turn(entry);
    if (i < kept) {
      hn::Store(turn.sin, D(), sines_ + i * tile_size);
      hn::Store(turn.cos, D(), cosines_ + i * tile_size);
    }
    return turned(pose_.turning_motions[entry.bone], turn);
  }
  template <bool kSigned>
  SINEW_KERNEL_INLINE void add(MotionSum& sum, std::size_t i, V w, const V4& pivot) const {
    const Entry& entry = entries_[i];
    const int varies = entry.varies & pose_.moves[entry.bone];
    if ((varies & twist_varies) != 0) {
      const TurningMotion& bone = pose_.turning_motions[entry.bone];
      V c, s;
      if constexpr (kSigned) {
        // The first entry and those that are the pivot of some lane have been asked for their
        // rotation.
        const bool is_kept = i == 0 || (entry.pivot_lanes != 0 && i < kept);
        const SinCos turn = is_kept ? kept_turn(i) : new_turn(entry);
        const V4 real = turned(bone, turn);
        const V signed_w = with_sign(w, real, pivot);
        c = hn::Mul(signed_w, turn.cos);
        s = hn::Mul(signed_w, turn.sin);
        sum.real = mul_add(real, signed_w, sum.real);
      } else {
        const SinCos turn = new_turn(entry);
        c = hn::Mul(w, turn.cos);
        s = hn::Mul(w, turn.sin);
        sum.real = mul_add(constant4(bone.real_cosine.data()), c, sum.real);
        sum.real = mul_add(constant4(bone.real_sine.data()), s, sum.real);
      }
      sum.dual = mul_add(constant4(bone.dual_cosine.data()), c, sum.dual);
      sum.dual = mul_add(constant4(bone.dual_sine.data()), s, sum.dual);
      const V e = stretch_of(rig_, entry, lane_);
      sum.dual = mul_add(constant4(bone.stretch_cosine.data()), hn::Mul(c, e), sum.dual);
      sum.dual = mul_add(constant4(bone.stretch_sine.data()), hn::Mul(s, e), sum.dual);
      return;
    }
    const V signed_w = PlainMotions::add_motion<kSigned>(
        sum, pose_.motions[4 * entry.bone + entry.corner], w, pivot);
    if ((varies & stretch_varies) != 0) {
      const auto& stretched = pose_.stretch_dual[entry.bone][entry.corner >> 1];
      const V amount = hn::Mul(signed_w, stretch_of(rig_, entry, lane_));
      sum.dual = mul_add(constant4(stretched.data()), amount, sum.dual);
    }
  }

 private:
  SINEW_KERNEL_INLINE SinCos new_turn(const Entry& entry) const {
    return sincos_swing(twist_of(rig_, entry, lane_), pose_.turning_motions[entry.bone].swing);
  }
  SINEW_KERNEL_INLINE SinCos kept_turn(std::size_t i) const {
    return {hn::Load(D(), sines_ + i * tile_size), hn::Load(D(), cosines_ + i * tile_size)};
  }
  SINEW_KERNEL_INLINE static V4 turned(const TurningMotion& bone, const SinCos& turn) {
    const V4 c = constant4(bone.real_cosine.data()), s = constant4(bone.real_sine.data());
    return {hn::MulAdd(c.x, turn.cos, hn::Mul(s.x, turn.sin)),
            hn::MulAdd(c.y, turn.cos, hn::Mul(s.y, turn.sin)),
            hn::MulAdd(c.z, turn.cos, hn::Mul(s.z, turn.sin)),
            hn::MulAdd(c.w, turn.cos, hn::Mul(s.w, turn.sin))};
  }

  const PackedRig& rig_;
  const PackedPose& pose_;
  const Entry* entries_;
  std::size_t lane_;
  // The turns of the first entries, where they have been asked for.
  static constexpr std::size_t kept = 8;
  HWY_ALIGN float sines_[kept * tile_size];
  HWY_ALIGN float cosines_[kept * tile_size];
};

template <class Motions>
struct DualQuaternion {
  template <bool kSurface>
  SINEW_KERNEL_INLINE static Deformed deform(const Job& job, const Lanes& lanes, const V3& rest) {
    const std::size_t kind = job.rig->kinds[lanes.slot / tile_size];
    auto [sum, before, has_before] =
        job.pose->agree[kind] != 0 ? blended<false>(job, lanes) : blended<true>(job, lanes);
    V3 p = rest;
    if (has_before) p = transform(before.m, rest, add(before.t, p));

    // p + 2 / |r|^2 (v x (v x p + w p + d_v) + w d_v - d_w v). The signs leave no part of the sum
    // against the pivot, so that |r| is at least the pivot's weight.
    const V scale = hn::Div(constant(2.0f), dot(sum.real, sum.real));
    const V3 v{sum.real.x, sum.real.y, sum.real.z}, dv{sum.dual.x, sum.dual.y, sum.dual.z};
    const V3 inner = mul_add(p, sum.real.w, dv);
    const V3 outer = cross(v, add(cross(v, p), inner));
    const V3 moved = mul_add(dv, sum.real.w, mul_add(v, hn::Neg(sum.dual.w), outer));
    Deformed result{mul_add(moved, scale, p), before.m};
    if constexpr (kSurface) {
      if (has_before) {
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
    // First phase: what is not rigid, linearly; as the difference from the identity.
    MapSum before;
    bool has_before;
  };

  template <bool kSigned>
  SINEW_KERNEL_INLINE static Blended blended(const Job& job, const Lanes& lanes) {
    const PackedPose& pose = *job.pose;
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
    Blended result{{{o, o, o, o}, {o, o, o, o}}, zero_map(), false};
    for (std::size_t i = 0; i < lanes.entry_count; ++i) {
      const Entry& entry = lanes.entries[i];
      const V w = lanes.weight(i);
      motions.template add<kSigned>(result.motion, i, w, pivot);
      if (pose.has_before[entry.bone] != 0) {
        result.has_before = true;
        add_map(result.before, w, pose.before[entry.bone]);
      }
    }
    return result;
  }
};

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
