// SPDX-License-Identifier: Apache-2.0
// Vectors, matrices, quaternions and angles of several bones at once, in double precision. The
// functions are those of vec.h, mat3.h and quat.h, with fewer divisions and without fused
// multiply-adds, and sine, cosine and arc tangent are polynomials: each lane has the same bits on
// every instruction set, whatever is in the others. Included once for each of them.
#if defined(SINEW_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANES_INL_H
#undef SINEW_LANES_INL_H
#else
#define SINEW_LANES_INL_H
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <hwy/highway.h>

#include "sinew/core/internal/lane_targets.h"
#include "sinew/core/internal/series.h"

// Vectors of the compiler's own: with them, eight lanes are one instruction where the machine has
// wide enough ones, and several elsewhere. But WebAssembly is downloaded: two lanes, one
// instruction there, are a quarter of the code.

HWY_BEFORE_NAMESPACE();
namespace sinew::lanes::HWY_NAMESPACE {

#if HWY_TARGET == HWY_WASM
inline constexpr std::size_t lane_count = 2;
#else
inline constexpr std::size_t lane_count = 8;
#endif

using Doubles = double __attribute__((vector_size(lane_count * sizeof(double))));
using Floats = float __attribute__((vector_size(lane_count * sizeof(float))));
using Mask = decltype(Doubles{} < Doubles{});  // all bits of a lane, or none

struct Three {
  Doubles x, y, z;
};
struct Four {
  Doubles x, y, z, w;
};
struct Matrix {
  Three x, y, z;  // columns
};

SINEW_KERNEL_INLINE Doubles all(double value) { return Doubles{} + value; }
SINEW_KERNEL_INLINE Doubles select(Mask mask, Doubles yes, Doubles no) { return mask ? yes : no; }
SINEW_KERNEL_INLINE Three select(Mask mask, const Three& yes, const Three& no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}
SINEW_KERNEL_INLINE Four select(Mask mask, const Four& yes, const Four& no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z),
          select(mask, yes.w, no.w)};
}
SINEW_KERNEL_INLINE Matrix select(Mask mask, const Matrix& yes, const Matrix& no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}

SINEW_KERNEL_INLINE bool any(Mask mask) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  __m512i bits;
  std::memcpy(&bits, &mask, sizeof bits);
  return _mm512_movepi64_mask(bits) != 0;
#else
  long long bits = 0;
  for (std::size_t i = 0; i < lane_count; ++i) bits |= mask[i];
  return bits != 0;
#endif
}

// The low byte of each lane.
SINEW_KERNEL_INLINE void store_flags(Mask flags, std::uint8_t* to) {
  using Bytes = std::uint8_t __attribute__((vector_size(lane_count)));
  const Bytes bytes = __builtin_convertvector(flags, Bytes);
  std::memcpy(to, &bytes, sizeof bytes);
}

SINEW_KERNEL_INLINE Doubles absolute(Doubles a) { return select(a < 0, -a, a); }
SINEW_KERNEL_INLINE Doubles larger(Doubles a, Doubles b) { return select(a > b, a, b); }

SINEW_KERNEL_INLINE Doubles square_root(Doubles a) {
#if HWY_TARGET == HWY_WASM
  return __builtin_wasm_sqrt_f64x2(a);
#else
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<double, lane_count> d;
  HWY_ALIGN double values[lane_count];
  std::memcpy(values, &a, sizeof a);
  for (std::size_t i = 0; i < lane_count; i += hn::Lanes(d)) {
    hn::StoreU(hn::Sqrt(hn::LoadU(d, values + i)), d, values + i);
  }
  std::memcpy(&a, values, sizeof a);
  return a;
#endif
}

SINEW_KERNEL_INLINE Three operator+(const Three& a, const Three& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
SINEW_KERNEL_INLINE Three operator-(const Three& a, const Three& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
SINEW_KERNEL_INLINE Three operator-(const Three& a) { return {-a.x, -a.y, -a.z}; }
SINEW_KERNEL_INLINE Three operator*(const Three& a, Doubles s) {
  return {a.x * s, a.y * s, a.z * s};
}
SINEW_KERNEL_INLINE Three operator/(const Three& a, Doubles s) {
  return {a.x / s, a.y / s, a.z / s};
}
SINEW_KERNEL_INLINE Doubles dot(const Three& a, const Three& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
SINEW_KERNEL_INLINE Three cross(const Three& a, const Three& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SINEW_KERNEL_INLINE Doubles length(const Three& a) { return square_root(dot(a, a)); }

// For vectors so small or large that their squares are not numbers, or 0.
SINEW_KERNEL_INLINE Three normalized_odd(const Three& a, const Three& fallback) {
  const Doubles largest = larger(absolute(a.x), larger(absolute(a.y), absolute(a.z)));
  // Infinity minus itself is NaN, and not 0.
  const Mask good = (largest > 0) & (a.x - a.x == 0) & (a.y - a.y == 0) & (a.z - a.z == 0);
  const Three b = a / largest;
  return select(good, b / length(b), fallback);
}

SINEW_KERNEL_INLINE Three normalized(const Three& a, const Three& fallback) {
  const Doubles square = dot(a, a);
  const Mask odd = ~((square > 1e-280) & (square < 1e280));
  const Three b = a * (1 / square_root(square));
  return any(odd) ? select(odd, normalized_odd(a, fallback), b) : b;
}

SINEW_KERNEL_INLINE Three any_perpendicular(const Three& u) {
  const Mask low = absolute(u.x) < 0.6;
  const Three axis{select(low, all(1), Doubles{}), select(low, Doubles{}, all(1)), Doubles{}};
  return normalized(cross(u, axis), {all(1), Doubles{}, Doubles{}});
}

SINEW_KERNEL_INLINE Matrix identity() {
  return {{all(1), Doubles{}, Doubles{}},
          {Doubles{}, all(1), Doubles{}},
          {Doubles{}, Doubles{}, all(1)}};
}
SINEW_KERNEL_INLINE Matrix operator+(const Matrix& a, const Matrix& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
SINEW_KERNEL_INLINE Matrix operator-(const Matrix& a, const Matrix& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
SINEW_KERNEL_INLINE Matrix operator*(const Matrix& m, Doubles s) {
  return {m.x * s, m.y * s, m.z * s};
}
SINEW_KERNEL_INLINE Three operator*(const Matrix& m, const Three& v) {
  return m.x * v.x + m.y * v.y + m.z * v.z;
}
SINEW_KERNEL_INLINE Matrix operator*(const Matrix& a, const Matrix& b) {
  return {a * b.x, a * b.y, a * b.z};
}
SINEW_KERNEL_INLINE Matrix transpose(const Matrix& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}
SINEW_KERNEL_INLINE Doubles determinant(const Matrix& m) { return dot(m.x, cross(m.y, m.z)); }
SINEW_KERNEL_INLINE Doubles length_squared(const Matrix& m) {
  return dot(m.x, m.x) + dot(m.y, m.y) + dot(m.z, m.z);
}

SINEW_KERNEL_INLINE Four operator+(const Four& a, const Four& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
SINEW_KERNEL_INLINE Four operator-(const Four& a) { return {-a.x, -a.y, -a.z, -a.w}; }
SINEW_KERNEL_INLINE Four operator*(const Four& a, Doubles s) {
  return {a.x * s, a.y * s, a.z * s, a.w * s};
}
// The rotation b followed by the rotation a.
SINEW_KERNEL_INLINE Four operator*(const Four& a, const Four& b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
SINEW_KERNEL_INLINE Three vector_of(const Four& q) { return {q.x, q.y, q.z}; }
SINEW_KERNEL_INLINE Four pure(const Three& v) { return {v.x, v.y, v.z, Doubles{}}; }
SINEW_KERNEL_INLINE Four conjugate(const Four& q) { return {-q.x, -q.y, -q.z, q.w}; }
SINEW_KERNEL_INLINE Doubles dot(const Four& a, const Four& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
SINEW_KERNEL_INLINE Four normalized(const Four& q) {
  const Doubles n = square_root(dot(q, q));
  const Mask good = (n > 0) & (n - n == 0);
  return select(good, q * (1 / n), {Doubles{}, Doubles{}, Doubles{}, all(1)});
}
SINEW_KERNEL_INLINE Three rotate(const Four& q, const Three& v) {
  const Three t = cross(vector_of(q), v) * all(2);
  return v + t * q.w + cross(vector_of(q), t);
}
SINEW_KERNEL_INLINE Matrix to_matrix(const Four& q) {
  return {
      {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.z * q.w), 2 * (q.x * q.z - q.y * q.w)},
      {2 * (q.x * q.y - q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.x * q.w)},
      {2 * (q.x * q.z + q.y * q.w), 2 * (q.y * q.z - q.x * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)}};
}

SINEW_KERNEL_INLINE Four to_quaternion(const Matrix& m) {
  const Doubles trace = m.x.x + m.y.y + m.z.z;
  const Mask w = (trace >= m.x.x) & (trace >= m.y.y) & (trace >= m.z.z);
  const Mask x = (m.x.x >= m.y.y) & (m.x.x >= m.z.z);
  const Mask y = m.y.y >= m.z.z;
  const Three less{m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x};
  const Three more{m.y.z + m.z.y, m.x.z + m.z.x, m.x.y + m.y.x};
  const Four by_z{more.y, more.x, 1 + m.z.z - m.x.x - m.y.y, less.z};
  const Four by_y{more.z, 1 + m.y.y - m.x.x - m.z.z, more.x, less.y};
  const Four by_x{1 + m.x.x - m.y.y - m.z.z, more.z, more.y, less.x};
  const Four by_w{less.x, less.y, less.z, 1 + trace};
  return normalized(select(w, by_w, select(x, by_x, select(y, by_y, by_z))));
}

SINEW_KERNEL_INLINE Four rotation_between(const Three& from, const Three& to) {
  const Three half = from + to;
  const Doubles square = dot(half, half);
  const Three v = cross(from, half);
  const Four turn = normalized(Four{v.x, v.y, v.z, square * 0.5});
  const Mask opposite = square < 256 * 0x1p-104;
  return any(opposite) ? select(opposite, pure(any_perpendicular(from)), turn) : turn;
}

// Angles. With a polynomial's coefficients from the lowest power up.
template <std::size_t count>
SINEW_KERNEL_INLINE Doubles polynomial(Doubles x, const double (&coefficients)[count]) {
  Doubles sum = all(coefficients[count - 1]);
  for (std::size_t i = count - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

// The nearest whole number; of two, the even one. For less than 2^51.
SINEW_KERNEL_INLINE Doubles nearest_whole(Doubles x) {
  return (x + series::to_whole) - series::to_whole;
}

struct SineCosine {
  Doubles sine, cosine;
};

// To a few units in the last place for up to 2^19 quarter turns. Taylor's series of what is left
// beside the nearest quarter turn.
SINEW_KERNEL_INLINE SineCosine sine_cosine(Doubles angle) {
  const Doubles shifted = angle * (2 / 3.14159265358979323846) + series::to_whole;
  const Doubles quarters = shifted - series::to_whole;
  const auto& part = series::quarter_turn;
  const Doubles r = ((angle - quarters * part[0]) - quarters * part[1]) - quarters * part[2];
  const Doubles square = r * r;
  const Doubles s = r + r * (square * polynomial(square, series::sine));
  const Doubles c = 1 + square * polynomial(square, series::cosine);
  Mask whole;
  std::memcpy(&whole, &shifted, sizeof whole);
  const Mask is_odd = (whole & 1) != 0;
  const Mask flips_sine = (whole & 2) != 0, flips_cosine = ((whole + 1) & 2) != 0;
  const Doubles sine = select(is_odd, c, s), cosine = select(is_odd, s, c);
  return {select(flips_sine, -sine, sine), select(flips_cosine, -cosine, cosine)};
}

SINEW_KERNEL_INLINE Four rotation_about(const Three& axis, Doubles angle) {
  const auto [s, c] = sine_cosine(angle / 2);
  return {axis.x * s, axis.y * s, axis.z * s, c};
}

// The angle in (-pi, pi] of the turn whose half has this sine and cosine, up to a common factor.
SINEW_KERNEL_INLINE Doubles full_angle(Doubles sine, Doubles cosine) {
  constexpr double pi = 3.14159265358979323846;
  const Doubles q = absolute(sine), p = absolute(cosine);
  // Beside the nearest eighth of a turn no more than tan(pi / 8) is left.
  const Mask large = q > p * series::cot_eighth, middle = q > p * series::tan_eighth;
  const Doubles left = select(large, -p, select(middle, q - p, q));
  const Doubles by = select(large, q, select(middle, q + p, p));
  const Doubles base = select(large, all(pi / 2), select(middle, all(pi / 4), Doubles{}));
  const Doubles x = left / by;
  const Doubles angle = 2 * (base + x * polynomial(x * x, series::arc_tangent));
  const Doubles turn = select((sine < 0) != (cosine < 0), -angle, angle);
  return select(turn <= -pi, turn + 2 * pi, turn);
}

// Memory: a number from a place for each lane, and back. Places are pointers by lane: an array of
// them, or these.
template <class T, std::size_t kStride>
struct Rows {  // that lie one after the other, each kStride numbers long
  T* first;
  SINEW_KERNEL_INLINE T* operator[](std::size_t lane) const { return first + kStride * lane; }
};

template <class Places>
using NumberAt = std::remove_pointer_t<std::decay_t<decltype(std::declval<const Places&>()[0])>>;

SINEW_KERNEL_INLINE Doubles load_lanes(const double* from) {
  Doubles v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

SINEW_KERNEL_INLINE void store_lanes(Doubles v, double* to) { std::memcpy(to, &v, sizeof v); }

// Floats are rounded.
template <class Places>
SINEW_KERNEL_INLINE void store1(Doubles v, const Places& to, std::size_t offset) {
  for (std::size_t i = 0; i < lane_count; ++i) {
    to[i][offset] = static_cast<NumberAt<Places>>(v[i]);
  }
}

// The same for four that lie beside each other.
#if HWY_TARGET == HWY_WASM
template <class Places>
SINEW_KERNEL_INLINE Four load4(const Places& from, std::size_t offset) {
  const auto load1 = [&](std::size_t k) HWY_ATTR {
    return Doubles{from[0][offset + k], from[1][offset + k]};
  };
  return {load1(0), load1(1), load1(2), load1(3)};
}

// The products of each four numbers of both.
template <class Places>
SINEW_KERNEL_INLINE Four load_products(const Places& a, const Places& b, std::size_t offset) {
  const Four x = load4(a, offset), y = load4(b, offset);
  return {x.x * y.x, x.y * y.y, x.z * y.z, x.w * y.w};
}

template <class Places>
SINEW_KERNEL_INLINE void store4(const Four& v, const Places& to, std::size_t offset) {
  store1(v.x, to, offset);
  store1(v.y, to, offset + 1);
  store1(v.z, to, offset + 2);
  store1(v.w, to, offset + 3);
}
#else
using Quad = double __attribute__((vector_size(32)));

SINEW_KERNEL_INLINE Four columns_of(const Quad (&v)[lane_count]) {
  Doubles wide[4];  // rows i and i + 4
  for (std::size_t i = 0; i < 4; ++i) {
    wide[i] = __builtin_shufflevector(v[i], v[i + 4], 0, 1, 2, 3, 4, 5, 6, 7);
  }
  // x0 x1 z0 z1 x4 x5 z4 z5, y0 y1 w0 w1 y4 y5 w4 w5, and so on.
  const Doubles xz01 = __builtin_shufflevector(wide[0], wide[1], 0, 8, 2, 10, 4, 12, 6, 14);
  const Doubles yw01 = __builtin_shufflevector(wide[0], wide[1], 1, 9, 3, 11, 5, 13, 7, 15);
  const Doubles xz23 = __builtin_shufflevector(wide[2], wide[3], 0, 8, 2, 10, 4, 12, 6, 14);
  const Doubles yw23 = __builtin_shufflevector(wide[2], wide[3], 1, 9, 3, 11, 5, 13, 7, 15);
  return {__builtin_shufflevector(xz01, xz23, 0, 1, 8, 9, 4, 5, 12, 13),
          __builtin_shufflevector(yw01, yw23, 0, 1, 8, 9, 4, 5, 12, 13),
          __builtin_shufflevector(xz01, xz23, 2, 3, 10, 11, 6, 7, 14, 15),
          __builtin_shufflevector(yw01, yw23, 2, 3, 10, 11, 6, 7, 14, 15)};
}

SINEW_KERNEL_INLINE Quad load_quad(const double* from) {
  Quad v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <class Places>
SINEW_KERNEL_INLINE Four load4(const Places& from, std::size_t offset) {
  Quad v[lane_count];
  for (std::size_t i = 0; i < lane_count; ++i) v[i] = load_quad(from[i] + offset);
  return columns_of(v);
}

// The products of each four numbers of both.
template <class Places>
SINEW_KERNEL_INLINE Four load_products(const Places& a, const Places& b, std::size_t offset) {
  Quad v[lane_count];
  for (std::size_t i = 0; i < lane_count; ++i) {
    v[i] = load_quad(a[i] + offset) * load_quad(b[i] + offset);
  }
  return columns_of(v);
}

// Rows of four numbers to their places; wide[i] has rows i and i + 4.
template <class Wide, class Places>
SINEW_KERNEL_INLINE void store_quads(const Wide (&wide)[4], const Places& to, std::size_t offset) {
  for (std::size_t i = 0; i < 4; ++i) {
    const auto low = __builtin_shufflevector(wide[i], wide[i], 0, 1, 2, 3);
    const auto high = __builtin_shufflevector(wide[i], wide[i], 4, 5, 6, 7);
    std::memcpy(to[i] + offset, &low, sizeof low);
    std::memcpy(to[i + 4] + offset, &high, sizeof high);
  }
}

template <class Places>
SINEW_KERNEL_INLINE void store4(const Four& v, const Places& to, std::size_t offset) {
  if constexpr (std::is_same_v<NumberAt<Places>, float>) {
    const Floats x = __builtin_convertvector(v.x, Floats), y = __builtin_convertvector(v.y, Floats);
    const Floats z = __builtin_convertvector(v.z, Floats), w = __builtin_convertvector(v.w, Floats);
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    // Half as many shuffles as by fours.
    const auto xy =
        __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const auto zw =
        __builtin_shufflevector(z, w, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const auto low =
        __builtin_shufflevector(xy, zw, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
    const auto high =
        __builtin_shufflevector(xy, zw, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
    // The compiler does not see on its own that these are stores.
    const auto put = [&](__m128 quad, std::size_t lane)
                         HWY_ATTR { _mm_storeu_ps(to[lane] + offset, quad); };
    put(_mm512_castps512_ps128(low), 0);
    put(_mm512_extractf32x4_ps(low, 1), 1);
    put(_mm512_extractf32x4_ps(low, 2), 2);
    put(_mm512_extractf32x4_ps(low, 3), 3);
    put(_mm512_castps512_ps128(high), 4);
    put(_mm512_extractf32x4_ps(high, 1), 5);
    put(_mm512_extractf32x4_ps(high, 2), 6);
    put(_mm512_extractf32x4_ps(high, 3), 7);
#else
    const Floats xy01 = __builtin_shufflevector(x, y, 0, 8, 1, 9, 4, 12, 5, 13);
    const Floats xy23 = __builtin_shufflevector(x, y, 2, 10, 3, 11, 6, 14, 7, 15);
    const Floats zw01 = __builtin_shufflevector(z, w, 0, 8, 1, 9, 4, 12, 5, 13);
    const Floats zw23 = __builtin_shufflevector(z, w, 2, 10, 3, 11, 6, 14, 7, 15);
    const Floats rows[4] = {__builtin_shufflevector(xy01, zw01, 0, 1, 8, 9, 4, 5, 12, 13),
                            __builtin_shufflevector(xy01, zw01, 2, 3, 10, 11, 6, 7, 14, 15),
                            __builtin_shufflevector(xy23, zw23, 0, 1, 8, 9, 4, 5, 12, 13),
                            __builtin_shufflevector(xy23, zw23, 2, 3, 10, 11, 6, 7, 14, 15)};
    store_quads(rows, to, offset);
#endif
  } else {
    const Doubles xy02 = __builtin_shufflevector(v.x, v.y, 0, 8, 2, 10, 4, 12, 6, 14);
    const Doubles xy13 = __builtin_shufflevector(v.x, v.y, 1, 9, 3, 11, 5, 13, 7, 15);
    const Doubles zw02 = __builtin_shufflevector(v.z, v.w, 0, 8, 2, 10, 4, 12, 6, 14);
    const Doubles zw13 = __builtin_shufflevector(v.z, v.w, 1, 9, 3, 11, 5, 13, 7, 15);
    const Doubles rows[4] = {__builtin_shufflevector(xy02, zw02, 0, 1, 8, 9, 4, 5, 12, 13),
                             __builtin_shufflevector(xy13, zw13, 0, 1, 8, 9, 4, 5, 12, 13),
                             __builtin_shufflevector(xy02, zw02, 2, 3, 10, 11, 6, 7, 14, 15),
                             __builtin_shufflevector(xy13, zw13, 2, 3, 10, 11, 6, 7, 14, 15)};
    store_quads(rows, to, offset);
  }
}
#endif

// Four or more values that lie beside each other. Where their number is no multiple of four, some
// are stored twice.
template <std::size_t count, class Places>
SINEW_KERNEL_INLINE void store(const Doubles (&values)[count], const Places& to,
                               std::size_t offset) {
  static_assert(count >= 4);
  const auto store_from = [&](std::size_t i) HWY_ATTR {
    store4(Four{values[i], values[i + 1], values[i + 2], values[i + 3]}, to, offset + i);
  };
  for (std::size_t i = 0; i + 4 <= count; i += 4) store_from(i);
  if constexpr (count % 4 != 0) store_from(count - 4);
}

}  // namespace sinew::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
