// SPDX-License-Identifier: Apache-2.0
// The bones' motions as dual quaternions, one per lane.
#if defined(SINEW_KERNELS_MOTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_MOTIONS_INL
#undef SINEW_KERNELS_MOTIONS_INL
#else
#define SINEW_KERNELS_MOTIONS_INL
#endif

#include "sinew/core/dual_quat.h"
#include "sinew/kernels/detail/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

struct MotionSum {
  V4 real, dual;
};

// The lanes in which this entry has the largest weight.
SINEW_KERNEL_INLINE hn::Mask<D> pivot_mask(const Entry& entry, std::size_t lane) {
  const std::uint64_t bits = static_cast<std::uint64_t>(entry.pivot_lanes) >> lane;
  std::uint8_t bytes[8];
  std::memcpy(bytes, &bits, sizeof(bytes));
  return hn::LoadMaskBits(D(), bytes);
}

// w, negated where the quaternion is opposite to the pivot (is_opposite).
SINEW_KERNEL_INLINE V with_sign(V w, const V4& q, const V4& pivot) {
  const V beyond = dot_add(q, pivot, constant(static_cast<float>(-half_turn_margin)));
  return hn::Xor(w, hn::And(beyond, constant(-0.0f)));
}

// Motions that are the same for all lanes. (kSigned: weights take the sign that agrees with the
// pivot's rotation; otherwise all are known to agree.)
class PlainMotions {
 public:
  static constexpr bool kStrained = false;

  SINEW_KERNEL_INLINE PlainMotions(const Job& job, const Lanes& lanes)
      : motions_(job.pose->motions.data()), entries_(lanes.entries) {}

  SINEW_KERNEL_INLINE V4 rotation(std::size_t i) {
    return constant4(motions_[entries_[i].bone].real.data());
  }
  SINEW_KERNEL_INLINE MotionSum motion(const Entry& entry) const {
    const Motion& motion = motions_[entry.bone];
    return {constant4(motion.real.data()), constant4(motion.dual.data())};
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

// Motions of stretchable, twistable bones.
class StbsMotions {
 public:
  static constexpr bool kStrained = true;

  SINEW_KERNEL_INLINE StbsMotions(const Job& job, const Lanes& lanes)
      : rig_(*job.rig), pose_(*job.pose), entries_(lanes.entries), lane_(lanes.lane) {}

  SINEW_KERNEL_INLINE V4 rotation(std::size_t i) {
    const Entry& entry = entries_[i];
    if ((entry.varies & pose_.moves[entry.bone] & twist_varies) == 0) {
      return constant4(pose_.motions[corner_of(pose_, entry)].real.data());
    }
    const SinCos turn = new_turn(entry);
    if (i < kept) {
      hn::Store(turn.sin, D(), sines_ + i * tile_size);
      hn::Store(turn.cos, D(), cosines_ + i * tile_size);
    }
    return turned(pose_.turning_motions[entry.bone], turn);
  }
  // Whether the bone's twist differs from lane to lane.
  SINEW_KERNEL_INLINE bool turns(const Entry& entry) const {
    return (entry.varies & pose_.moves[entry.bone] & twist_varies) != 0;
  }
  // For a bone whose twist is the same in all lanes.
  SINEW_KERNEL_INLINE MotionSum motion(const Entry& entry) const {
    const Motion& motion = pose_.motions[corner_of(pose_, entry)];
    const V4 dual = constant4(motion.dual.data());
    if ((entry.varies & pose_.moves[entry.bone] & stretch_varies) == 0) {
      return {constant4(motion.real.data()), dual};
    }
    const auto& stretched = pose_.stretch_dual[entry.bone][(corner_of(pose_, entry) >> 1) & 1];
    return {constant4(motion.real.data()),
            mul_add(constant4(stretched.data()), stretch_of(rig_, entry, lane_), dual)};
  }
  template <bool kSigned>
  SINEW_KERNEL_INLINE void add(MotionSum& sum, std::size_t i, V w, const V4& pivot) const {
    const Entry& entry = entries_[i];
    const int varies = entry.varies & pose_.moves[entry.bone];
    if ((varies & twist_varies) != 0) {
      const TurningMotion& bone = pose_.turning_motions[entry.bone];
      V c, s;
      if constexpr (kSigned) {
        // The turns of the first entry, and of pivots of some lane, were computed with their
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
    const V signed_w =
        PlainMotions::add_motion<kSigned>(sum, pose_.motions[corner_of(pose_, entry)], w, pivot);
    if ((varies & stretch_varies) != 0) {
      const auto& stretched = pose_.stretch_dual[entry.bone][(corner_of(pose_, entry) >> 1) & 1];
      const V amount = hn::Mul(signed_w, stretch_of(rig_, entry, lane_));
      sum.dual = mul_add(constant4(stretched.data()), amount, sum.dual);
    }
  }
  SINEW_KERNEL_INLINE SinCos new_turn(const Entry& entry) const {
    return sincos_twist(twist_of(rig_, entry, lane_), pose_.turning_motions[entry.bone].half_turns);
  }
  SINEW_KERNEL_INLINE static V4 turned(const TurningMotion& bone, const SinCos& turn) {
    const V4 c = constant4(bone.real_cosine.data()), s = constant4(bone.real_sine.data());
    return {hn::MulAdd(c.x, turn.cos, hn::Mul(s.x, turn.sin)),
            hn::MulAdd(c.y, turn.cos, hn::Mul(s.y, turn.sin)),
            hn::MulAdd(c.z, turn.cos, hn::Mul(s.z, turn.sin)),
            hn::MulAdd(c.w, turn.cos, hn::Mul(s.w, turn.sin))};
  }

 private:
  SINEW_KERNEL_INLINE SinCos kept_turn(std::size_t i) const {
    return {hn::Load(D(), sines_ + i * tile_size), hn::Load(D(), cosines_ + i * tile_size)};
  }

  const PackedRig& rig_;
  const PackedPose& pose_;
  const Entry* entries_;
  std::size_t lane_;
  // Cached turns of the first entries.
  static constexpr std::size_t kept = 8;
  HWY_ALIGN float sines_[kept * tile_size];
  HWY_ALIGN float cosines_[kept * tile_size];
};

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
