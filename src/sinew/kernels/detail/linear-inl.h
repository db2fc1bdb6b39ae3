// SPDX-License-Identifier: Apache-2.0
// Linear blend skinning, plain and with stretchable, twistable bones (Jacobson and Sorkine 2011,
// eqs. 1 and 5).
#if defined(SINEW_KERNELS_LINEAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_LINEAR_INL
#undef SINEW_KERNELS_LINEAR_INL
#else
#define SINEW_KERNELS_LINEAR_INL
#endif

#include "sinew/kernels/detail/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

// The contribution of slopes. Method::place() transforms the point by a single bone.
template <class Method>
SINEW_KERNEL_INLINE Along<V3> linear_slopes(const Job& job, const Lanes& lanes, const V3& p) {
  const PackedPose& pose = *job.pose;
  Along<V3> sum{zero3(), zero3()};
  for (std::size_t i = 0; i < lanes.slope_count; ++i) {
    const Slope& slope = lanes.slopes[i];
    const Entry& entry = job.rig->entries[slope.entry];
    const V3 q = Method::place(job, entry, lanes.lane, p);
    add_along(sum, q, weight_slope(lanes, i));
    if constexpr (Method::kStrained) {
      if (slope.endpoints == no_endpoints) continue;
      const Rate& rate = pose.rates[entry.bone];
      if ((pose.moves[entry.bone] & twists) != 0) {
        add_along(sum, add(cross(constant3(rate.axis.data()), q), constant3(rate.shift.data())),
                  twist_slope(*job.rig, slope, lanes.lane));
      }
      if ((pose.moves[entry.bone] & stretches) != 0) {
        add_along(sum, constant3(rate.stretch_vector.data()),
                  stretch_slope(*job.rig, slope, lanes.lane));
      }
    }
  }
  return sum;
}

// Bone b's matrix is at index kStride * b.
template <std::size_t kStride>
struct Linear {
  static constexpr bool kStrained = false;

  template <bool kSurface>
  SINEW_KERNEL_INLINE static DeformedLanes deform(const Job& job, const Lanes& lanes, const V3& p) {
    DeformedLanes result = at_fixed_weights<kSurface>(job, lanes, p);
    if constexpr (kSurface) {
      if (lanes.slope_count > 0) result.slopes = linear_slopes<Linear>(job, lanes, p);
    }
    return result;
  }

  SINEW_KERNEL_INLINE static V3 place(const Job& job, const Entry& entry, std::size_t,
                                      const V3& p) {
    return transform(job.pose->matrices[kStride * entry.bone], p);
  }

 private:
  template <bool kSurface>
  SINEW_KERNEL_INLINE static DeformedLanes at_fixed_weights(const Job& job, const Lanes& lanes,
                                                            const V3& p) {
    const MatrixRows* HWY_RESTRICT matrices = job.pose->matrices.data();
    // A single bone, whose weights are 1.
    if (lanes.entry_count == 1)
      return placed_by<kSurface>(matrices[kStride * lanes.entries[0].bone], p);
    if constexpr (!kSurface) {
      // Sums points instead of matrices, which takes fewer instructions.
      V3 moved = mul(transform(matrices[kStride * lanes.entries[0].bone], p), lanes.weight(0));
      for (std::size_t i = 1; i < lanes.entry_count; ++i) {
        moved = mul_add(transform(matrices[kStride * lanes.entries[i].bone], p), lanes.weight(i),
                        moved);
      }
      return {moved, zero_map().m};
    }
    MapSum sum = scaled_map(lanes.weight(0), matrices[kStride * lanes.entries[0].bone]);
    for (std::size_t i = 1; i < lanes.entry_count; ++i) {
      add_map(sum, lanes.weight(i), matrices[kStride * lanes.entries[i].bone]);
    }
    return {transform(sum.m, p, sum.t), sum.m};
  }
};

// Bones whose twist is constant over the tile in this pose use a matrix, plus e times the stretch
// if needed; only the others are rotated lane by lane.
struct StbsLinear {
  static constexpr bool kStrained = true;

  template <bool kSurface>
  SINEW_KERNEL_INLINE static DeformedLanes deform(const Job& job, const Lanes& lanes, const V3& p) {
    const PackedPose& pose = *job.pose;
    MapSum sum = zero_map();  // with kSurface
    V3 moved = zero3();       // without
    for (std::size_t i = 0; i < lanes.entry_count; ++i) {
      const Entry& entry = lanes.entries[i];
      const V w = lanes.weight(i);
      const int varies = entry.varies & pose.moves[entry.bone];
      if ((varies & twist_varies) != 0) {
        const V stretch = stretch_of(*job.rig, entry, lanes.lane);
        const V twist = twist_of(*job.rig, entry, lanes.lane);
        if constexpr (kSurface) {
          add_turning(sum, w, stretch, twist, pose.turning[entry.bone],
                      pose.stretch_vectors[entry.bone]);
        } else {
          moved = mul_add(turned_point(p, stretch, twist, pose.turning[entry.bone]), w, moved);
        }
        continue;
      }
      const MatrixRows& matrix = pose.matrices[corner_of(pose, entry)];
      if constexpr (kSurface) {
        add_map(sum, w, matrix);
      } else {
        moved = mul_add(transform(matrix, p), w, moved);
      }
      if ((varies & stretch_varies) != 0) {
        V3& shift = kSurface ? sum.t : moved;
        const V amount = hn::Mul(w, stretch_of(*job.rig, entry, lanes.lane));
        shift = mul_add(constant3(pose.stretch_vectors[entry.bone].data()), amount, shift);
      }
    }
    if constexpr (!kSurface) return {moved, sum.m};
    DeformedLanes result{transform(sum.m, p, sum.t), sum.m};
    if (lanes.slope_count > 0) result.slopes = linear_slopes<StbsLinear>(job, lanes, p);
    return result;
  }

  SINEW_KERNEL_INLINE static V3 place(const Job& job, const Entry& entry, std::size_t lane,
                                      const V3& p) {
    const PackedPose& pose = *job.pose;
    const int varies = entry.varies & pose.moves[entry.bone];
    if ((varies & twist_varies) != 0) {
      return turned_point(p, stretch_of(*job.rig, entry, lane), twist_of(*job.rig, entry, lane),
                          pose.turning[entry.bone]);
    }
    const V3 q = transform(pose.matrices[corner_of(pose, entry)], p);
    if ((varies & stretch_varies) == 0) return q;
    return mul_add(constant3(pose.stretch_vectors[entry.bone].data()),
                   stretch_of(*job.rig, entry, lane), q);
  }

 private:
  SINEW_KERNEL_INLINE static V3 turned_point(const V3& p, V stretch, V twist,
                                             const TurningBone& bone) {
    const SinCos turn = sincos_twist(twist, bone.half_turns);
    const V3 y = transform(bone.in, p);
    return transform(bone.out, {hn::MulAdd(stretch, constant(bone.stretch_length), y.x),
                                hn::MulSub(turn.cos, y.y, hn::Mul(turn.sin, y.z)),
                                hn::MulAdd(turn.sin, y.y, hn::Mul(turn.cos, y.z))});
  }

  SINEW_KERNEL_INLINE static void add_turning(MapSum& sum, V w, V stretch, V twist,
                                              const TurningBone& bone,
                                              const std::array<float, 4>& full_stretch) {
    const SinCos turn = sincos_twist(twist, bone.half_turns);
    add_map(sum, w, bone.fixed);
    add_map(sum, hn::Mul(w, turn.cos), bone.cosine);
    add_map(sum, hn::Mul(w, turn.sin), bone.sine);
    sum.t = mul_add(constant3(full_stretch.data()), hn::Mul(w, stretch), sum.t);
  }
};

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
