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

#include <hwy/highway.h>

#include "sinew/kernels/detail/bulges-inl.h"
#include "sinew/kernels/detail/results-inl.h"
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

// The tile's normals and tangents at bind, with its shapes.
struct Surface {
  const float* normals;
  bool are_unit;
  const float* directions;  // null where the tile has no slopes
  const float* tangents;    // null where they are not asked for
  const float* handedness;
};

// Of the lanes whose rows start at `row`.
SINEW_KERNEL_PART void store_surface(float* normals, float* tangents, std::size_t row,
                                     std::size_t lane, const Surface& surface,
                                     const DeformedLanes& result) {
  const V3 rest = load3(surface.normals, lane);
  Along<V3> directions{};
  V3 normal;
  if (surface.directions != nullptr) {
    directions = plane_directions(rest, surface.are_unit, surface.directions, lane);
    normal = posed_normal(result, rest, directions);
  } else {
    normal = posed_normal(result, rest, surface.are_unit);
  }
  if (normals != nullptr) store_interleaved3(normal, normals + 3 * row);
  if (surface.tangents == nullptr) return;
  const V3 old = load3(surface.tangents, lane);
  V3 more = zero3();
  if (surface.directions != nullptr) {
    more = mul_add(result.slopes.s, dot(old, directions.s),
                   mul(result.slopes.t, dot(old, directions.t)));
  }
  const V3 tangent = posed_tangent(result, old, normal, more);
  hn::StoreInterleaved4(tangent.x, tangent.y, tangent.z, hn::LoadU(D(), surface.handedness + lane),
                        D(), tangents + 4 * row);
}

// Where results go, tightly packed, in packed order. Null: they are not asked for.
struct Rows {
  float* positions = nullptr;
  float* normals = nullptr;
  float* tangents = nullptr;
};

// Asks for what is read some tiles later, where results are so many that all of it is in memory.
SINEW_KERNEL_INLINE void prefetch_tile(const PackedRig& rig, std::size_t tile, std::size_t first,
                                       std::size_t count) {
  constexpr std::size_t ahead = 32;  // tiles, or entries of one bone each
  const float* positions = rig.positions.data() + (tile + ahead) * 3 * tile_size;
  for (std::size_t k = 0; k < 3; ++k) hwy::Prefetch(positions + k * tile_size);
  const float* weights = rig.weights.data() + (first + 4 * ahead) * tile_size;
  for (std::size_t k = 0; k < count; ++k) hwy::Prefetch(weights + k * tile_size);
}

// Runs Method::deform<kSurface>(job, lanes, point) over the tiles. Not inlined, so that each method
// gets its own register allocation. kStreams: with non-temporal stores, straight from registers.
template <class Method, bool kSurface, bool kStreams = false>
HWY_NOINLINE void run_tiles(const Job& job, const Rows& to, std::size_t begin, std::size_t end) {
  const PackedRig& rig = *job.rig;
  const Rows rows = to;  // a local copy, which need not be reloaded after each store
  const std::uint32_t* first_entry = rig.first_entry.data();
  HWY_ALIGN float positions[3 * tile_size];
  HWY_ALIGN float normals[3 * tile_size];
  HWY_ALIGN float tangents[3 * tile_size];
  HWY_ALIGN float bulges[6 * tile_size];
#if SINEW_KERNEL_WIDE
  LineStream stream(kStreams ? rows.positions : nullptr);
#endif
  for (std::size_t tile = begin; tile < end; ++tile) {
    const std::size_t first = first_entry[tile];
    const std::size_t count = first_entry[tile + 1] - first;
    if constexpr (kStreams) prefetch_tile(rig, tile, first, count);
    const float* p = shaped(rig, *job.pose, tile, rig.positions.data() + tile * 3 * tile_size,
                            rig.shape_positions, positions);
    const float* bulge = nullptr;
    if (has_bulges(rig, *job.pose, tile)) {
      p = swollen(rig, *job.pose, tile, p, positions);
      if constexpr (kSurface) bulge = swelling(rig, *job.pose, tile, bulges);
    }
    Surface surface{};
    std::size_t first_slope = 0, slope_count = 0;
    if constexpr (kSurface) {
      surface.normals = shaped(rig, *job.pose, tile, rig.normals.data() + tile * 3 * tile_size,
                               rig.shape_normals, normals);
      surface.are_unit = rig.shape_count == 0;
      if (rows.tangents != nullptr) {
        const float* rest = rig.tangents.data() + tile * 4 * tile_size;
        surface.tangents = shaped(rig, *job.pose, tile, rest, rig.shape_tangents, tangents);
        surface.handedness = rest + 3 * tile_size;
      }
      first_slope = rig.first_slope[tile];
      slope_count = job.pose->any_moves ? rig.first_slope[tile + 1] - first_slope
                                        : rig.weight_slope_counts[tile];
      if (slope_count > 0 || bulge != nullptr)
        surface.directions = rig.directions.data() + tile * 3 * tile_size;
    }
    for (std::size_t lane = 0; lane < tile_size; lane += hn::Lanes(D())) {
      Lanes lanes{rig.entries.data() + first, rig.weights.data() + first * tile_size + lane, count,
                  lane, tile * tile_size + lane};
      if constexpr (kSurface) {
        lanes.slopes = rig.slopes.data() + first_slope;
        lanes.weight_slopes = rig.weight_slopes.data() + first_slope * 2 * tile_size + lane;
        lanes.slope_count = slope_count;
      }
      const std::size_t row = (tile - begin) * tile_size + lane;
      DeformedLanes result = deformed<Method, kSurface>(job, lanes, load3(p, lane));
      if (kSurface && bulge != nullptr) add_swelling(result, slope_count > 0, bulge, lane);
#if SINEW_KERNEL_WIDE
      if constexpr (kStreams) {
        const V3 lines = interleaved3(result.position);
        tile == begin ? stream.begin(lines.x) : stream.add(lines.x);
        stream.add(lines.y);
        stream.add(lines.z);
        continue;
      }
#endif
      if (!kSurface || rows.positions != nullptr) {
        store_interleaved3(result.position, rows.positions + 3 * row);
      }
      if constexpr (kSurface) {
        store_surface(rows.normals, rows.tangents, row, lane, surface, result);
      }
    }
  }
#if SINEW_KERNEL_WIDE
  if constexpr (kStreams) stream.finish();
#endif
}

// The vertices of the tiles [begin, end) of one block.
struct BlockRange {
  std::size_t first, count;
  const std::uint16_t* slots;  // null: in the mesh's order
  bool is_ordered;             // and there are no lanes beyond the last vertex
};

inline BlockRange block_range(const PackedRig& rig, std::size_t begin, std::size_t end) {
  const std::size_t first = begin * tile_size, last = end * tile_size;
  const bool sorted = rig.sorted[begin / tiles_per_block] != 0;
  return {first, std::min(rig.vertex_count, last) - first,
          sorted ? rig.slots.data() + first : nullptr, !sorted && last <= rig.vertex_count};
}

template <class Method>
SINEW_KERNEL_INLINE void run_with_surface(const Job& job, std::size_t begin, std::size_t end) {
  const Output& output = job.output;
  const BlockRange block = block_range(*job.rig, begin, end);
  Target<3> positions(output.positions, output.position_stride, block.first, block.is_ordered);
  Target<3> normals(output.normals, output.normal_stride, block.first, block.is_ordered);
  Target<4> tangents(job.rig->tangents.empty() ? nullptr : output.tangents, output.tangent_stride,
                     block.first, block.is_ordered);
  run_tiles<Method, true>(job, {positions.rows(), normals.rows(), tangents.rows()}, begin, end);
  positions.finish(block.slots, block.count);
  normals.finish(block.slots, block.count);
  tangents.finish(block.slots, block.count);
}

// With non-temporal stores, in small steps, so that memory is written while the next tiles are
// computed.
template <class Method>
SINEW_KERNEL_INLINE void run_streamed(const Job& job, std::size_t begin, std::size_t end) {
  const BlockRange block = block_range(*job.rig, begin, end);
  float* to = job.output.positions + 3 * block.first;
#if SINEW_KERNEL_WIDE
  if (block.is_ordered && LineStream::fits(to)) {
    run_tiles<Method, false, true>(job, {.positions = to}, begin, end);
    return;
  }
#endif
  Stream stream(to);
  if (block.slots != nullptr) {
    constexpr std::size_t step = 64;
    HWY_ALIGN float stage[3 * block_size + 4];
    run_tiles<Method, false>(job, {.positions = stage}, begin, end);
    for (std::size_t i = 0; i < block.count; i += step) {
      const std::size_t count = std::min(step, block.count - i);
      place_rows<3>(stage, block.slots + i, count, stream.next(), 3 * sizeof(float));
      stream.send(3 * count);
    }
  } else {
    constexpr std::size_t step = 8;
    for (std::size_t first = begin; first < end; first += step) {
      const std::size_t last = std::min(first + step, end);
      run_tiles<Method, false>(job, {.positions = stream.next()}, first, last);
      stream.send(3 * (std::min(job.rig->vertex_count, last * tile_size) - first * tile_size));
    }
  }
  stream.finish();
}

// [begin, end) are the tiles of one block.
template <class Method>
SINEW_KERNEL_INLINE void run_method(const Job& job, std::size_t begin, std::size_t end) {
  const Output& output = job.output;
  if (output.normals != nullptr || output.tangents != nullptr) {
    run_with_surface<Method>(job, begin, end);
#if !HWY_ARCH_WASM  // has no such stores
  } else if (job.streamed) {
    run_streamed<Method>(job, begin, end);
#endif
  } else if (output.positions != nullptr) {
    const BlockRange block = block_range(*job.rig, begin, end);
    Target<3> positions(output.positions, output.position_stride, block.first, block.is_ordered);
    run_tiles<Method, false>(job, {.positions = positions.rows()}, begin, end);
    positions.finish(block.slots, block.count);
  }
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
