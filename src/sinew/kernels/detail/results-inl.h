// SPDX-License-Identifier: Apache-2.0
// How results reach the caller. The kernels write those of a block in packed order, tightly packed:
// straight into the caller's buffer where that is the order there, too, or else into a stage, from
// which they are brought into order.
#if defined(SINEW_KERNELS_RESULTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_RESULTS_INL
#undef SINEW_KERNELS_RESULTS_INL
#else
#define SINEW_KERNELS_RESULTS_INL
#endif

#include <algorithm>
#include <cstring>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "sinew/kernels/detail/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

#undef SINEW_KERNEL_WIDE
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
#define SINEW_KERNEL_WIDE 1
// x, y, z of one lane after the other, in three registers. Two shuffles for each, a third of what
// Highway needs.
SINEW_KERNEL_INLINE V3 interleaved3(const V3& v) {
  constexpr int y = 16;  // where the second register's lanes start
  const auto mixed = [&](__m512i xy, __m512i z, __mmask16 is_z) HWY_ATTR {
    const __m512 both = _mm512_permutex2var_ps(v.x.raw, xy, v.y.raw);
    return V{_mm512_mask_permutexvar_ps(both, is_z, z, v.z.raw)};
  };
  return {mixed(_mm512_setr_epi32(0, y, 0, 1, y + 1, 0, 2, y + 2, 0, 3, y + 3, 0, 4, y + 4, 0, 5),
                _mm512_setr_epi32(0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0), 0x4924),
          mixed(_mm512_setr_epi32(y + 5, 0, 6, y + 6, 0, 7, y + 7, 0, 8, y + 8, 0, 9, y + 9, 0, 10,
                                  y + 10),
                _mm512_setr_epi32(0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0, 0, 9, 0, 0), 0x2492),
          mixed(_mm512_setr_epi32(0, 11, y + 11, 0, 12, y + 12, 0, 13, y + 13, 0, 14, y + 14, 0, 15,
                                  y + 15, 0),
                _mm512_setr_epi32(10, 0, 0, 11, 0, 0, 12, 0, 0, 13, 0, 0, 14, 0, 0, 15), 0x9249)};
}
#else
#define SINEW_KERNEL_WIDE 0
#endif

// Stores x, y, z of one lane after the other.
SINEW_KERNEL_INLINE void store_interleaved3(const V3& v, float* HWY_RESTRICT to) {
#if SINEW_KERNEL_WIDE
  const V3 rows = interleaved3(v);
  hn::StoreU(rows.x, D(), to);
  hn::StoreU(rows.y, D(), to + 16);
  hn::StoreU(rows.z, D(), to + 32);
#else
  hn::StoreInterleaved3(v.x, v.y, v.z, D(), to);
#endif
}

#if SINEW_KERNEL_WIDE
// Writes registers one after the other with non-temporal stores of whole cache lines, wherever in a
// line the first begins: each line is put together from two registers.
class LineStream {
 public:
  SINEW_KERNEL_INLINE explicit LineStream(float* to) : to_(to) {
    constexpr std::uintptr_t line = 64;
    const std::uintptr_t past = reinterpret_cast<std::uintptr_t>(to) % line;
    head_ = static_cast<std::uint32_t>((line - past) % line / sizeof(float));
    lanes_ =
        _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                         _mm512_set1_epi32(static_cast<int>(head_)));
  }

  // Whether floats are not themselves split between lines.
  static bool fits(const float* to) {
    return reinterpret_cast<std::uintptr_t>(to) % sizeof(float) == 0;
  }

  // The first register: what precedes the first line is stored as usual.
  SINEW_KERNEL_INLINE void begin(V first) {
    _mm512_mask_storeu_ps(to_, static_cast<__mmask16>((1u << head_) - 1), first.raw);
    to_ += head_;
    last_ = first.raw;
  }

  SINEW_KERNEL_INLINE void add(V next) {
    _mm512_stream_ps(to_, _mm512_permutex2var_ps(last_, lanes_, next.raw));
    to_ += 16;
    last_ = next.raw;
  }

  // What is left of the last register.
  SINEW_KERNEL_INLINE void finish() {
    _mm512_mask_storeu_ps(to_, static_cast<__mmask16>(0xffffu >> head_),
                          _mm512_permutexvar_ps(lanes_, last_));
    hwy::FlushStream();
  }

 private:
  float* to_;
  std::uint32_t head_;  // floats before the first line
  __m512i lanes_;       // of two registers, those that make up a line
  __m512 last_{};
};
#endif

// Brings `count` rows of floats into order: row i is at slots[i]; null: at i.
template <std::size_t kFloats>
HWY_NOINLINE void place_rows(const float* HWY_RESTRICT from,
                             const std::uint16_t* HWY_RESTRICT slots, std::size_t count,
                             float* HWY_RESTRICT to, std::size_t stride) {
  constexpr std::size_t tight = kFloats * sizeof(float), wide = 4 * sizeof(float);
  auto* bytes = reinterpret_cast<unsigned char*>(to);
  std::size_t i = 0;
  if (stride == tight && slots == nullptr) {
    std::memcpy(to, from, count * tight);
    return;
  }
  if (kFloats == 3 && stride == tight) {
    // Sixteen bytes at once: the next row overwrites what is too much.
#pragma GCC unroll 8
    for (; i + 1 < count; ++i) std::memcpy(bytes + i * tight, from + kFloats * slots[i], wide);
  }
  for (; i < count; ++i) {
    const std::size_t slot = slots != nullptr ? slots[i] : i;
    std::memcpy(bytes + i * stride, from + kFloats * slot, tight);
  }
}

// The results of one block, kFloats for each vertex.
template <std::size_t kFloats>
class Target {
 public:
  // `to` are the caller's results, or null; `first` is the block's first vertex. is_ordered: it has
  // whole tiles only, in the mesh's order.
  SINEW_KERNEL_INLINE Target(float* to, std::size_t stride, std::size_t first, bool is_ordered)
      : to_(to), stride_(stride), is_direct_(is_ordered && stride == kFloats * sizeof(float)) {
    if (to == nullptr) return;
    to_ = reinterpret_cast<float*>(reinterpret_cast<unsigned char*>(to) + first * stride);
  }

  // Where the kernels write, or null.
  SINEW_KERNEL_INLINE float* rows() {
    return to_ == nullptr || is_direct_ ? to_ : static_cast<float*>(stage_);
  }

  SINEW_KERNEL_INLINE void finish(const std::uint16_t* slots, std::size_t count) {
    if (to_ == nullptr || is_direct_) return;
    place_rows<kFloats>(stage_, slots, count, to_, stride_);
  }

 private:
  float* to_;
  std::size_t stride_;
  bool is_direct_;
  HWY_ALIGN float stage_[kFloats * block_size + 4];  // read up to four floats at once
};

// Collects positions for non-temporal stores of whole cache lines, so that no memory is read only
// to be overwritten.
class Stream {
 public:
  explicit Stream(float* to) : to_(to) {}

  // Where to put the next positions, up to one block.
  SINEW_KERNEL_INLINE float* next() { return floats_ + kept_; }

  // Writes out the collected floats, after `count` more were added, except for an incomplete last
  // line.
  SINEW_KERNEL_INLINE void send(std::size_t count) {
    const D d;
    const std::size_t filled = kept_ + count;
    std::size_t i = 0;
    while (i < filled && reinterpret_cast<std::uintptr_t>(to_ + i) % hwy::kMaxVectorSize != 0) {
      to_[i] = floats_[i];
      ++i;
    }
    for (; i + line <= filled; i += line) {
      for (std::size_t k = 0; k < line; k += hn::Lanes(d)) {
        hn::Stream(hn::LoadU(d, floats_ + i + k), d, to_ + i + k);
      }
    }
    kept_ = filled - i;
    to_ += i;
    std::memmove(floats_, floats_ + i, kept_ * sizeof(float));
  }

  SINEW_KERNEL_INLINE void finish() {
    std::copy_n(floats_, kept_, to_);
    hwy::FlushStream();
  }

 private:
  static constexpr std::size_t line = tile_size;
  float* to_;
  std::size_t kept_ = 0;  // less than a line
  HWY_ALIGN float floats_[3 * tile_size * tiles_per_block + line];
};

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
