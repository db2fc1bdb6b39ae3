// SPDX-License-Identifier: Apache-2.0
// Points, matrices and angles, one per lane. Included once for each instruction set.
#if defined(SINEW_KERNELS_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_VECTORS_INL
#undef SINEW_KERNELS_VECTORS_INL
#else
#define SINEW_KERNELS_VECTORS_INL
#endif

#include <hwy/highway.h>

#include "sinew/kernels/detail/pose.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, tile_size>;
using V = hn::Vec<D>;

struct V3 {
  V x, y, z;
};

struct V4 {
  V x, y, z, w;
};

// xy is row x, column y.
struct M3 {
  V xx, xy, xz, yx, yy, yz, zx, zy, zz;
};

SINEW_KERNEL_INLINE V constant(float x) { return hn::Set(D(), x); }
SINEW_KERNEL_INLINE V3 zero3() { return {hn::Zero(D()), hn::Zero(D()), hn::Zero(D())}; }

// Three blocks of 16 floats, from `lane` on.
SINEW_KERNEL_INLINE V3 load3(const float* HWY_RESTRICT blocks, std::size_t lane) {
  const D d;
  return {hn::LoadU(d, blocks + lane), hn::LoadU(d, blocks + tile_size + lane),
          hn::LoadU(d, blocks + 2 * tile_size + lane)};
}

SINEW_KERNEL_INLINE V3 constant3(const float* HWY_RESTRICT v) {
  return {constant(v[0]), constant(v[1]), constant(v[2])};
}

SINEW_KERNEL_INLINE V4 constant4(const float* HWY_RESTRICT v) {
  return {constant(v[0]), constant(v[1]), constant(v[2]), constant(v[3])};
}

SINEW_KERNEL_INLINE V3 add(const V3& a, const V3& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}

SINEW_KERNEL_INLINE V4 add(const V4& a, const V4& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z), hn::Add(a.w, b.w)};
}

SINEW_KERNEL_INLINE V3 sub(const V3& a, const V3& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}

SINEW_KERNEL_INLINE V4 sub(const V4& a, const V4& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z), hn::Sub(a.w, b.w)};
}

// a * s + b
SINEW_KERNEL_INLINE V3 mul_add(const V3& a, V s, const V3& b) {
  return {hn::MulAdd(a.x, s, b.x), hn::MulAdd(a.y, s, b.y), hn::MulAdd(a.z, s, b.z)};
}

SINEW_KERNEL_INLINE V4 mul_add(const V4& a, V s, const V4& b) {
  return {hn::MulAdd(a.x, s, b.x), hn::MulAdd(a.y, s, b.y), hn::MulAdd(a.z, s, b.z),
          hn::MulAdd(a.w, s, b.w)};
}

SINEW_KERNEL_INLINE V3 mul(const V3& a, V s) {
  return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)};
}

SINEW_KERNEL_INLINE V4 mul(const V4& a, V s) {
  return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s), hn::Mul(a.w, s)};
}

SINEW_KERNEL_INLINE V dot(const V3& a, const V3& b) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z)));
}

SINEW_KERNEL_INLINE V dot(const V4& a, const V4& b) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::MulAdd(a.z, b.z, hn::Mul(a.w, b.w))));
}

// a . b + c
SINEW_KERNEL_INLINE V dot_add(const V4& a, const V4& b, V c) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::MulAdd(a.z, b.z, hn::MulAdd(a.w, b.w, c))));
}

// a x b
SINEW_KERNEL_INLINE V3 cross(const V3& a, const V3& b) {
  return {hn::MulSub(a.y, b.z, hn::Mul(a.z, b.y)), hn::MulSub(a.z, b.x, hn::Mul(a.x, b.z)),
          hn::MulSub(a.x, b.y, hn::Mul(a.y, b.x))};
}

// m v + t
SINEW_KERNEL_INLINE V3 transform(const M3& m, const V3& v, const V3& t) {
  return {hn::MulAdd(m.xx, v.x, hn::MulAdd(m.xy, v.y, hn::MulAdd(m.xz, v.z, t.x))),
          hn::MulAdd(m.yx, v.x, hn::MulAdd(m.yy, v.y, hn::MulAdd(m.yz, v.z, t.y))),
          hn::MulAdd(m.zx, v.x, hn::MulAdd(m.zy, v.y, hn::MulAdd(m.zz, v.z, t.z)))};
}

// The same with a bone's matrix, which all lanes share.
SINEW_KERNEL_INLINE V3 transform(const MatrixRows& m, const V3& v) {
  const auto row = [&](std::size_t i) HWY_ATTR {
    return hn::MulAdd(constant(m[i]), v.x,
                      hn::MulAdd(constant(m[i + 1]), v.y,
                                 hn::MulAdd(constant(m[i + 2]), v.z, constant(m[i + 3]))));
  };
  return {row(0), row(4), row(8)};
}

// v rotated by a nonzero quaternion; `scale` is 2 / its squared length.
SINEW_KERNEL_INLINE V3 rotated(const V4& q, V scale, const V3& v) {
  const V3 axis{q.x, q.y, q.z};
  const V3 across = mul(cross(axis, v), scale);
  return add(cross(axis, across), mul_add(across, q.w, v));
}

// A weighted sum of the bones' affine maps, per lane.
struct MapSum {
  M3 m;
  V3 t;
};

SINEW_KERNEL_INLINE MapSum zero_map() {
  const V o = hn::Zero(D());
  return {{o, o, o, o, o, o, o, o, o}, {o, o, o}};
}

SINEW_KERNEL_INLINE MapSum scaled_map(V w, const MatrixRows& m) {
  const auto at = [&](std::size_t i) HWY_ATTR { return hn::Mul(w, constant(m[i])); };
  return {{at(0), at(1), at(2), at(4), at(5), at(6), at(8), at(9), at(10)}, {at(3), at(7), at(11)}};
}

SINEW_KERNEL_INLINE void add_linear(M3& sum, V w, const MatrixRows& m) {
  sum.xx = hn::MulAdd(w, constant(m[0]), sum.xx);
  sum.xy = hn::MulAdd(w, constant(m[1]), sum.xy);
  sum.xz = hn::MulAdd(w, constant(m[2]), sum.xz);
  sum.yx = hn::MulAdd(w, constant(m[4]), sum.yx);
  sum.yy = hn::MulAdd(w, constant(m[5]), sum.yy);
  sum.yz = hn::MulAdd(w, constant(m[6]), sum.yz);
  sum.zx = hn::MulAdd(w, constant(m[8]), sum.zx);
  sum.zy = hn::MulAdd(w, constant(m[9]), sum.zy);
  sum.zz = hn::MulAdd(w, constant(m[10]), sum.zz);
}

// sum += w m
SINEW_KERNEL_INLINE void add_map(MapSum& sum, V w, const MatrixRows& m) {
  add_linear(sum.m, w, m);
  sum.t.x = hn::MulAdd(w, constant(m[3]), sum.t.x);
  sum.t.y = hn::MulAdd(w, constant(m[7]), sum.t.y);
  sum.t.z = hn::MulAdd(w, constant(m[11]), sum.t.z);
}

struct SinCos {
  V sin, cos;
};

// Sine and cosine of r half turns, |r| <= 1/2: polynomials in r^2 through the Chebyshev nodes of
// [0, 1/4], with an error below 5e-8.
SINEW_KERNEL_INLINE SinCos sincos_within_quarter(V r) {
  const V z = hn::Mul(r, r);
  V s = hn::MulAdd(constant(0.07765591227685842f), z, constant(-0.5982904112836939f));
  V c = hn::MulAdd(constant(0.21968242357666407f), z, constant(-1.3318729727880956f));
  s = hn::MulAdd(s, z, constant(2.5500773865289372f));
  c = hn::MulAdd(c, z, constant(4.058410790762683f));
  s = hn::MulAdd(s, z, constant(-5.167710076668316f));
  c = hn::MulAdd(c, z, constant(-4.934792802489462f));
  s = hn::MulAdd(s, z, constant(3.141592640077203f));
  c = hn::MulAdd(c, z, constant(1.0f));
  return {hn::Mul(s, r), c};
}

// Sine and cosine of x half turns. Subtracting whole half turns is exact in float, so the range
// reduction loses nothing; each one flips both signs.
SINEW_KERNEL_INLINE SinCos sincos_half_turns(V x) {
  const D d;
  const hn::RebindToSigned<D> di;
  const V whole = hn::Round(x);
  const V sign = hn::BitCast(d, hn::ShiftLeft<31>(hn::ConvertTo(di, whole)));
  const SinCos reduced = sincos_within_quarter(hn::Sub(x, whole));
  return {hn::Xor(reduced.sin, sign), hn::Xor(reduced.cos, sign)};
}

// Sine and cosine of (e - 1/2) * half_turns half turns, e in [0, 1]. Small twists need no range
// reduction.
SINEW_KERNEL_INLINE SinCos sincos_twist(V e, float half_turns) {
  const V x = hn::MulSub(e, constant(half_turns), constant(0.5f * half_turns));
  return half_turns >= -1.0f && half_turns <= 1.0f ? sincos_within_quarter(x)
                                                   : sincos_half_turns(x);
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
