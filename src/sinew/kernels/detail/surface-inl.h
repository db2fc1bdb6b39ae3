// SPDX-License-Identifier: Apache-2.0
// The result of a method for the lanes of a register, and the normals and tangents that follow from
// it.
#if defined(SINEW_KERNELS_SURFACE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_SURFACE_INL
#undef SINEW_KERNELS_SURFACE_INL
#else
#define SINEW_KERNELS_SURFACE_INL
#endif

#include "sinew/kernels/detail/job.h"
#include "sinew/kernels/detail/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

// The entries of a tile, for one register of its lanes.
struct Lanes {
  const Entry* entries;
  const float* weights;  // of the first entry, at the first lane
  std::size_t entry_count;
  std::size_t lane;  // the first
  std::size_t slot;  // index of that lane in packed order
  // Only with normals.
  const Slope* slopes = nullptr;
  const float* weight_slopes = nullptr;  // of the first slope, at the first lane
  std::size_t slope_count = 0;

  V weight(std::size_t i) const { return hn::LoadU(D(), weights + i * tile_size); }
};

// Where the maps of a stretchable, twistable bone are at the entry's corner.
SINEW_KERNEL_INLINE std::size_t corner_of(const PackedPose& pose, const Entry& entry) {
  return 4 * std::size_t{entry.bone} + (entry.corner & pose.moves[entry.bone]);
}

SINEW_KERNEL_INLINE V stretch_of(const PackedRig& rig, const Entry& entry, std::size_t lane) {
  return hn::LoadU(D(), rig.stretch_endpoints.data() + entry.endpoints * tile_size + lane);
}

SINEW_KERNEL_INLINE V twist_of(const PackedRig& rig, const Entry& entry, std::size_t lane) {
  const float* blocks =
      rig.twist_endpoints.empty() ? rig.stretch_endpoints.data() : rig.twist_endpoints.data();
  return hn::LoadU(D(), blocks + entry.endpoints * tile_size + lane);
}

// Derivatives along the two directions of the tangent plane at bind.
template <class T>
struct Along {
  T s, t;
};

SINEW_KERNEL_INLINE Along<V> load_along(const float* HWY_RESTRICT at) {
  return {hn::LoadU(D(), at), hn::LoadU(D(), at + tile_size)};
}

SINEW_KERNEL_INLINE Along<V> weight_slope(const Lanes& lanes, std::size_t i) {
  return load_along(lanes.weight_slopes + i * 2 * tile_size);
}

// The slope of the endpoint weights, multiplied by the weight.
SINEW_KERNEL_INLINE Along<V> stretch_slope(const PackedRig& rig, const Slope& slope,
                                           std::size_t lane) {
  return load_along(rig.stretch_slopes.data() + slope.endpoints * 2 * tile_size + lane);
}

SINEW_KERNEL_INLINE Along<V> twist_slope(const PackedRig& rig, const Slope& slope,
                                         std::size_t lane) {
  const float* blocks =
      rig.twist_slopes.empty() ? rig.stretch_slopes.data() : rig.twist_slopes.data();
  return load_along(blocks + slope.endpoints * 2 * tile_size + lane);
}

// sum += a slope
SINEW_KERNEL_INLINE void add_along(Along<V3>& sum, const V3& a, const Along<V>& slope) {
  sum.s = mul_add(a, slope.s, sum.s);
  sum.t = mul_add(a, slope.t, sum.t);
}

// The deformed point and, if asked for, the derivative. At fixed weights the derivative is a
// matrix, or a rotation (equal to its cofactor matrix) given as a nonzero quaternion and 2 / its
// squared length. `slopes` is the contribution of changing weights along the two directions.
struct DeformedLanes {
  V3 position;
  M3 derivative;
  bool is_rotation = false;
  V4 rotation{};
  V rotation_scale{};
  Along<V3> slopes{};  // ignored if the tile has none
};

// What Method makes of the lanes, with derivatives.
template <class Method>
SINEW_KERNEL_PART DeformedLanes deformed_surface(const Job& job, const Lanes& lanes, const V3& p) {
  return Method::template deform<true>(job, lanes, p);
}

// Positions alone, by a method that others have as a part.
template <class Method>
SINEW_KERNEL_PART V3 deformed_place(const Job& job, const Lanes& lanes, const V3& p) {
  return Method::template deform<false>(job, lanes, p).position;
}

template <class Method, bool kSurface>
SINEW_KERNEL_INLINE DeformedLanes deformed(const Job& job, const Lanes& lanes, const V3& p) {
  if constexpr (kSurface) {
    return deformed_surface<Method>(job, lanes, p);
  } else if constexpr (requires { Method::kIsPart; }) {
    return {deformed_place<Method>(job, lanes, p), zero_map().m};
  } else {
    return Method::template deform<false>(job, lanes, p);
  }
}

// Applies one matrix to all lanes.
template <bool kSurface>
SINEW_KERNEL_INLINE DeformedLanes placed_by(const MatrixRows& m, const V3& p) {
  if constexpr (kSurface) {
    return {transform(m, p),
            {constant(m[0]), constant(m[1]), constant(m[2]), constant(m[4]), constant(m[5]),
             constant(m[6]), constant(m[8]), constant(m[9]), constant(m[10])}};
  }
  return {transform(m, p), zero_map().m};
}

// 1 / sqrt(x), accurate to about the last bit.
SINEW_KERNEL_INLINE V inverse_sqrt(V x) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  // The estimate has at least twelve bits, which a Newton step doubles.
  const V y = hn::ApproximateReciprocalSqrt(x);
  const V half = hn::Mul(constant(0.5f), x);
  return hn::Mul(y, hn::NegMulAdd(hn::Mul(half, y), y, constant(1.5f)));
#else
  // The same bits with SSE4 and in WebAssembly: other machines have other estimates.
  return hn::Div(constant(1.0f), hn::Sqrt(x));
#endif
}

// v at unit length; `fallback` if the length is zero.
SINEW_KERNEL_INLINE V3 normalized(const V3& v, const V3& fallback) {
  const V n = dot(v, v);
  const auto good = hn::Gt(n, constant(1e-36f));
  const V scale = inverse_sqrt(n);
  return {hn::IfThenElse(good, hn::Mul(v.x, scale), fallback.x),
          hn::IfThenElse(good, hn::Mul(v.y, scale), fallback.y),
          hn::IfThenElse(good, hn::Mul(v.z, scale), fallback.z)};
}

// The cofactor matrix of m times v: det(m) m^-T v. For columns x, y, z that is (y x z) v_x + (z x
// x) v_y + (x x y) v_z = y x (z v_x - x v_z) + z x (x v_y).
SINEW_KERNEL_INLINE V3 cofactor_times(const M3& m, const V3& v) {
  const V3 x{m.xx, m.yx, m.zx}, y{m.xy, m.yy, m.zy}, z{m.xz, m.yz, m.zz};
  const V3 a{hn::MulSub(z.x, v.x, hn::Mul(x.x, v.z)), hn::MulSub(z.y, v.x, hn::Mul(x.y, v.z)),
             hn::MulSub(z.z, v.x, hn::Mul(x.z, v.z))};
  const V3 b = mul(x, v.y);
  const V3 c = cross(y, a);
  return {hn::NegMulAdd(z.z, b.y, hn::MulAdd(z.y, b.z, c.x)),
          hn::NegMulAdd(z.x, b.z, hn::MulAdd(z.z, b.x, c.y)),
          hn::NegMulAdd(z.y, b.x, hn::MulAdd(z.x, b.y, c.z))};
}

// The derivative at fixed weights, applied to v, plus `more`.
SINEW_KERNEL_INLINE V3 derivative_times(const DeformedLanes& result, const V3& v, const V3& more) {
  return result.is_rotation ? add(rotated(result.rotation, result.rotation_scale, v), more)
                            : transform(result.derivative, v, more);
}

// Two orthogonal unit directions of the tangent plane at bind.
SINEW_KERNEL_INLINE Along<V3> plane_directions(const V3& rest, bool is_unit,
                                               const float* HWY_RESTRICT directions,
                                               std::size_t lane) {
  V3 n = rest, s = load3(directions, lane);
  if (!is_unit) {
    // Blend shapes have rotated the normal, so the directions are no longer orthogonal to it.
    n = normalized(rest, zero3());
    s = normalized(mul_add(n, hn::Neg(dot(n, s)), s), s);
  }
  return {s, cross(n, s)};
}

// With the derivative at fixed weights.
SINEW_KERNEL_INLINE V3 posed_normal(const DeformedLanes& result, const V3& rest, bool is_unit) {
  if (!result.is_rotation) return normalized(cofactor_times(result.derivative, rest), rest);
  const V3 turned = rotated(result.rotation, result.rotation_scale, rest);
  return is_unit ? turned : normalized(turned, rest);
}

// With slopes: the normal of the transformed tangent plane.
SINEW_KERNEL_INLINE V3 posed_normal(const DeformedLanes& result, const V3& rest,
                                    const Along<V3>& directions) {
  return normalized(cross(derivative_times(result, directions.s, result.slopes.s),
                          derivative_times(result, directions.t, result.slopes.t)),
                    rest);
}

// The transformed tangent, made orthogonal to the new normal. `more`: the contribution of slopes.
SINEW_KERNEL_INLINE V3 posed_tangent(const DeformedLanes& result, const V3& rest, const V3& normal,
                                     const V3& more) {
  const V3 turned = derivative_times(result, rest, more);
  return normalized(mul_add(normal, hn::Neg(dot(turned, normal)), turned), rest);
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
