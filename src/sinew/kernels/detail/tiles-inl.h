// SPDX-License-Identifier: Apache-2.0
// The part common to all methods: reads a tile, applies blend shapes, computes normals, writes the
// results.
#if defined(SINEW_KERNELS_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_TILES_INL
#undef SINEW_KERNELS_TILES_INL
#else
#define SINEW_KERNELS_TILES_INL
#endif

#include <algorithm>
#include <cstring>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "sinew/kernels/detail/surface-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

// Writes base + sum_k w_k delta_k over the tile's shapes to `to`, as three blocks of 16.
SINEW_KERNEL_INLINE void add_shapes(const PackedRig& rig, const PackedPose& pose, std::size_t tile,
                                    const AlignedFloats& deltas, float* HWY_RESTRICT to) {
  const D d;
  for (std::size_t i = rig.first_shape[tile]; i < rig.first_shape[tile + 1]; ++i) {
    const float weight = pose.shapes[rig.shapes[i]];
    if (weight == 0) continue;
    const float* HWY_RESTRICT delta = deltas.data() + i * 3 * tile_size;
    for (std::size_t k = 0; k < 3 * tile_size; k += hn::Lanes(d)) {
      const V sum = hn::MulAdd(constant(weight), hn::LoadU(d, delta + k), hn::LoadU(d, to + k));
      hn::StoreU(sum, d, to + k);
    }
  }
}

// The tile's floats as they are or, if it has shapes, with these added in `scratch`.
SINEW_KERNEL_INLINE const float* shaped(const PackedRig& rig, const PackedPose& pose,
                                        std::size_t tile, const float* rest,
                                        const AlignedFloats& deltas, float* HWY_RESTRICT scratch) {
  if (deltas.empty() || rig.first_shape[tile] == rig.first_shape[tile + 1]) return rest;
  std::memcpy(scratch, rest, 3 * tile_size * sizeof(float));
  add_shapes(rig, pose, tile, deltas, scratch);
  return scratch;
}

// Where the lanes of one tile go in the results.
struct Places {
  const std::uint32_t* vertices;  // of each lane; ignored if all are consecutive
  std::size_t first;              // the vertex of the first lane
  std::size_t run;                // length of the groups of consecutive vertices
  std::size_t base;               // the vertex at the start of the results
};

// Lane i's x, y, z, w as four floats in a row, in the order that costs the fewest shuffles: the row
// of lane 4 b + k is the b-th of block k.
struct RowsOfLanes {
  static constexpr std::size_t count = hn::MaxLanes(D());
  HWY_ALIGN float floats[4 * count];

  SINEW_KERNEL_INLINE explicit RowsOfLanes(const V4& v) {
    const D d;
#if HWY_TARGET == HWY_SCALAR
    hn::StoreInterleaved4(v.x, v.y, v.z, v.w, d, floats);
#else
    const V xz = hn::InterleaveLower(d, v.x, v.z), yw = hn::InterleaveLower(d, v.y, v.w);
    const V high_xz = hn::InterleaveUpper(d, v.x, v.z), high_yw = hn::InterleaveUpper(d, v.y, v.w);
    hn::Store(hn::InterleaveLower(d, xz, yw), d, floats);
    hn::Store(hn::InterleaveUpper(d, xz, yw), d, floats + count);
    hn::Store(hn::InterleaveLower(d, high_xz, high_yw), d, floats + 2 * count);
    hn::Store(hn::InterleaveUpper(d, high_xz, high_yw), d, floats + 3 * count);
#endif
  }
  SINEW_KERNEL_INLINE const float* row(std::size_t lane) const {
    return floats + (lane % 4) * count + (lane / 4) * 4;
  }
};

template <std::size_t kFloats>
SINEW_KERNEL_INLINE void scatter(const RowsOfLanes& rows, const Places& places, std::size_t lane,
                                 float* to, std::size_t stride) {
  auto* bytes = reinterpret_cast<unsigned char*>(to);
  for (std::size_t i = 0; i < RowsOfLanes::count; ++i) {
    std::memcpy(bytes + (places.vertices[lane + i] - places.base) * stride, rows.row(i),
                kFloats * sizeof(float));
  }
}

// Stores x, y, z of one lane after the other.
SINEW_KERNEL_INLINE void store_interleaved3(const V3& v, float* HWY_RESTRICT to) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  // Two shuffles per stored register, a third of what Highway needs.
  constexpr int y = 16;  // where the second register's lanes start
  const auto store = [&](__m512i xy, __m512i z, __mmask16 is_z, float* at) HWY_ATTR {
    const __m512 both = _mm512_permutex2var_ps(v.x.raw, xy, v.y.raw);
    _mm512_storeu_ps(at, _mm512_mask_permutexvar_ps(both, is_z, z, v.z.raw));
  };
  store(_mm512_setr_epi32(0, y, 0, 1, y + 1, 0, 2, y + 2, 0, 3, y + 3, 0, 4, y + 4, 0, 5),
        _mm512_setr_epi32(0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0), 0x4924, to);
  store(_mm512_setr_epi32(y + 5, 0, 6, y + 6, 0, 7, y + 7, 0, 8, y + 8, 0, 9, y + 9, 0, 10, y + 10),
        _mm512_setr_epi32(0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0, 0, 9, 0, 0), 0x2492, to + 16);
  store(_mm512_setr_epi32(0, 11, y + 11, 0, 12, y + 12, 0, 13, y + 13, 0, 14, y + 14, 0, 15, y + 15,
                          0),
        _mm512_setr_epi32(10, 0, 0, 11, 0, 0, 12, 0, 0, 13, 0, 0, 14, 0, 0, 15), 0x9249, to + 32);
#else
  hn::StoreInterleaved3(v.x, v.y, v.z, D(), to);
#endif
}

// Writes three floats for each lane.
SINEW_KERNEL_INLINE void store3(const Places& places, std::size_t lane, const V3& v, float* to,
                                std::size_t stride) {
  const D d;
  constexpr std::size_t tight = 3 * sizeof(float), quad = 4;
  if (stride != tight) {
    scatter<3>(RowsOfLanes({v.x, v.y, v.z, v.z}), places, lane, to, stride);
  } else if (places.run >= hn::Lanes(d)) {
    const std::size_t vertex =
        places.run == tile_size ? places.first + lane : places.vertices[lane];
    store_interleaved3(v, to + 3 * (vertex - places.base));
  } else if (places.run == quad) {
    HWY_ALIGN float packed[3 * tile_size];
    store_interleaved3(v, packed);
    for (std::size_t i = 0; i < hn::Lanes(d); i += quad) {
      std::memcpy(to + 3 * (places.vertices[lane + i] - places.base), packed + 3 * i, quad * tight);
    }
  } else {
    scatter<3>(RowsOfLanes({v.x, v.y, v.z, v.z}), places, lane, to, tight);
  }
}

SINEW_KERNEL_INLINE void store4(const Places& places, std::size_t lane, const V4& v, float* to,
                                std::size_t stride) {
  scatter<4>(RowsOfLanes(v), places, lane, to, stride);
}

// The tile's normals and tangents at bind, with its shapes.
struct Surface {
  const float* normals;
  bool are_unit;
  const float* directions;  // null where the tile has no slopes
  const float* tangents;    // null where they are not asked for
  const float* handedness;
};

SINEW_KERNEL_INLINE void store_surface(const Output& output, const Places& places, std::size_t lane,
                                       const Surface& surface, const DeformedLanes& result) {
  const V3 rest = load3(surface.normals, lane);
  Along<V3> directions{};
  V3 normal;
  if (surface.directions != nullptr) {
    directions = plane_directions(rest, surface.are_unit, surface.directions, lane);
    normal = posed_normal(result, rest, directions);
  } else {
    normal = posed_normal(result, rest, surface.are_unit);
  }
  if (output.normals != nullptr) {
    store3(places, lane, normal, output.normals, output.normal_stride);
  }
  if (surface.tangents == nullptr) return;
  const V3 old = load3(surface.tangents, lane);
  V3 more = zero3();
  if (surface.directions != nullptr) {
    more = mul_add(result.slopes.s, dot(old, directions.s),
                   mul(result.slopes.t, dot(old, directions.t)));
  }
  const V3 tangent = posed_tangent(result, old, normal, more);
  store4(places, lane, {tangent.x, tangent.y, tangent.z, hn::LoadU(D(), surface.handedness + lane)},
         output.tangents, output.tangent_stride);
}

// Collects positions for non-temporal stores of whole cache lines, so that no memory is read only
// to be overwritten.
class Stage {
 public:
  explicit Stage(float* to) : to_(to) {}

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

// Whether the vertices of all these tiles are consecutive.
inline bool are_in_order(const PackedRig& rig, std::size_t begin, std::size_t end) {
  for (std::size_t tile = begin; tile < end; ++tile) {
    if (rig.runs[tile] != tile_size || rig.first_vertex[tile] != tile * tile_size) return false;
  }
  return true;
}

// Runs Method::deform<kSurface>(job, lanes, point) over the tiles. Not inlined, so that each method
// gets its own register allocation.
template <class Method, bool kSurface>
HWY_NOINLINE void run_tiles(const Job& job, const Output& to, std::size_t base, std::size_t begin,
                            std::size_t end) {
  const PackedRig& rig = *job.rig;
  const Output output = to;  // a local copy, which need not be reloaded after each store
  const bool with_tangents = output.tangents != nullptr && !rig.tangents.empty();
  const std::uint32_t* first_entry = rig.first_entry.data();
  HWY_ALIGN float positions[3 * tile_size];
  HWY_ALIGN float normals[3 * tile_size];
  HWY_ALIGN float tangents[3 * tile_size];
  for (std::size_t tile = begin; tile < end; ++tile) {
    const std::size_t first = first_entry[tile];
    const std::size_t count = first_entry[tile + 1] - first;
    const Places places{rig.order.data() + tile * tile_size, rig.first_vertex[tile], rig.runs[tile],
                        base};
    const float* p = shaped(rig, *job.pose, tile, rig.positions.data() + tile * 3 * tile_size,
                            rig.shape_positions, positions);
    Surface surface{};
    std::size_t first_slope = 0, slope_count = 0;
    if constexpr (kSurface) {
      surface.normals = shaped(rig, *job.pose, tile, rig.normals.data() + tile * 3 * tile_size,
                               rig.shape_normals, normals);
      surface.are_unit = rig.shape_count == 0;
      if (with_tangents) {
        const float* rest = rig.tangents.data() + tile * 4 * tile_size;
        surface.tangents = shaped(rig, *job.pose, tile, rest, rig.shape_tangents, tangents);
        surface.handedness = rest + 3 * tile_size;
      }
      first_slope = rig.first_slope[tile];
      slope_count = job.pose->any_moves ? rig.first_slope[tile + 1] - first_slope
                                        : rig.weight_slope_counts[tile];
      if (slope_count > 0) surface.directions = rig.directions.data() + tile * 3 * tile_size;
    }
    for (std::size_t lane = 0; lane < tile_size; lane += hn::Lanes(D())) {
      Lanes lanes{rig.entries.data() + first, rig.weights.data() + first * tile_size + lane, count,
                  lane, tile * tile_size + lane};
      if constexpr (kSurface) {
        lanes.slopes = rig.slopes.data() + first_slope;
        lanes.weight_slopes = rig.weight_slopes.data() + first_slope * 2 * tile_size + lane;
        lanes.slope_count = slope_count;
      }
      const DeformedLanes result = Method::template deform<kSurface>(job, lanes, load3(p, lane));
      if (output.positions != nullptr) {
        store3(places, lane, result.position, output.positions, output.position_stride);
      }
      if constexpr (kSurface) {
        store_surface(output, places, lane, surface, result);
      }
    }
  }
}

// [begin, end) are the tiles of one block.
template <class Method>
SINEW_KERNEL_INLINE void run_method(const Job& job, std::size_t begin, std::size_t end) {
  if (job.output.normals != nullptr || job.output.tangents != nullptr) {
    run_tiles<Method, true>(job, job.output, 0, begin, end);
    return;
  }
  if (!job.streamed) {
    run_tiles<Method, false>(job, job.output, 0, begin, end);
    return;
  }
  // In small steps if possible, so that memory is written while the next tiles are computed.
  constexpr std::size_t small = 8;
  const std::size_t step = are_in_order(*job.rig, begin, end) ? small : end - begin;
  Stage stage(job.output.positions + 3 * begin * tile_size);
  for (std::size_t first = begin; first < end; first += step) {
    const std::size_t last = std::min(first + step, end);
    const std::size_t base = first * tile_size;
    run_tiles<Method, false>(job, {.positions = stage.next()}, base, first, last);
    stage.send(3 * (std::min(job.rig->vertex_count, last * tile_size) - base));
  }
  stage.finish();
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
