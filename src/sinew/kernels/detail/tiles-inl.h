// SPDX-License-Identifier: Apache-2.0
// What is the same for every method: reading a tile, blend shapes, normals, writing it out.
#if defined(SINEW_KERNELS_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_TILES_INL
#undef SINEW_KERNELS_TILES_INL
#else
#define SINEW_KERNELS_TILES_INL
#endif

#include <cstring>

#include <hwy/highway.h>

#include "sinew/kernels/detail/job.h"
#include "sinew/kernels/detail/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

// The entries of a tile, seen from some of its lanes.
struct Lanes {
  const Entry* entries;
  const float* weights;  // of the first entry, at the first lane
  std::size_t entry_count;
  std::size_t lane;  // the first
  std::size_t slot;  // of that lane in packed order

  V weight(std::size_t i) const { return hn::LoadU(D(), weights + i * tile_size); }
};

HWY_INLINE V stretch_of(const PackedRig& rig, const Entry& entry, std::size_t lane) {
  return hn::LoadU(D(), rig.stretch.data() + entry.endpoints * tile_size + lane);
}

HWY_INLINE V twist_of(const PackedRig& rig, const Entry& entry, std::size_t lane) {
  const float* blocks = rig.twist.empty() ? rig.stretch.data() : rig.twist.data();
  return hn::LoadU(D(), blocks + entry.endpoints * tile_size + lane);
}

// What a method makes of a lane: the point, and the derivative if it is asked for.
struct Deformed {
  V3 position;
  M3 derivative;
};

// base + sum_k w_k delta_k over the tile's shapes, into `to`, three blocks of 16.
HWY_INLINE void add_shapes(const PackedRig& rig, const PackedPose& pose, std::size_t tile,
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

// The tile's floats as they are, or with its shapes added in `scratch`.
HWY_INLINE const float* shaped(const PackedRig& rig, const PackedPose& pose, std::size_t tile,
                               const float* rest, const AlignedFloats& deltas,
                               float* HWY_RESTRICT scratch) {
  if (deltas.empty() || rig.first_shape[tile] == rig.first_shape[tile + 1]) return rest;
  std::memcpy(scratch, rest, 3 * tile_size * sizeof(float));
  add_shapes(rig, pose, tile, deltas, scratch);
  return scratch;
}

// Writes three floats for each lane.
HWY_INLINE void store3(const PackedRig& rig, std::size_t tile, std::size_t lane, const V3& v,
                       float* to, std::size_t stride) {
  const D d;
  auto* bytes = reinterpret_cast<unsigned char*>(to);
  const std::uint32_t run = rig.runs[tile];
  if (run != not_a_run && stride == 3 * sizeof(float)) {
    hn::StoreInterleaved3(v.x, v.y, v.z, d, to + 3 * (run + lane));
    return;
  }
  HWY_ALIGN float packed[3 * tile_size];
  hn::StoreInterleaved3(v.x, v.y, v.z, d, packed);
  const std::uint32_t* HWY_RESTRICT order = rig.order.data() + tile * tile_size + lane;
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    std::memcpy(bytes + order[i] * stride, packed + 3 * i, 3 * sizeof(float));
  }
}

HWY_INLINE void store4(const PackedRig& rig, std::size_t tile, std::size_t lane, const V4& v,
                       float* to, std::size_t stride) {
  const D d;
  auto* bytes = reinterpret_cast<unsigned char*>(to);
  HWY_ALIGN float packed[4 * tile_size];
  hn::StoreInterleaved4(v.x, v.y, v.z, v.w, d, packed);
  const std::uint32_t* HWY_RESTRICT order = rig.order.data() + tile * tile_size + lane;
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    std::memcpy(bytes + order[i] * stride, packed + 4 * i, 4 * sizeof(float));
  }
}

// At unit length; `fallback` where there is no length to divide by.
HWY_INLINE V3 normalized(const V3& v, const V3& fallback) {
  const V n = dot(v, v);
  const auto good = hn::Gt(n, constant(1e-36f));
  const V scale = hn::Div(constant(1.0f), hn::Sqrt(n));
  return {hn::IfThenElse(good, hn::Mul(v.x, scale), fallback.x),
          hn::IfThenElse(good, hn::Mul(v.y, scale), fallback.y),
          hn::IfThenElse(good, hn::Mul(v.z, scale), fallback.z)};
}

// The matrix of cofactors, applied: det(m) m^-T v.
HWY_INLINE V3 cofactor_times(const M3& m, const V3& v) {
  const V3 x{m.xx, m.yx, m.zx}, y{m.xy, m.yy, m.zy}, z{m.xz, m.yz, m.zz};
  const V3 a = cross(y, z), b = cross(z, x), c = cross(x, y);
  return mul_add(a, v.x, mul_add(b, v.y, mul(c, v.z)));
}

HWY_INLINE void store_surface(const Job& job, std::size_t tile, std::size_t lane,
                              const float* HWY_RESTRICT normals, const float* HWY_RESTRICT tangents,
                              const M3& derivative) {
  const V3 rest = load3(normals, lane);
  const V3 normal = normalized(cofactor_times(derivative, rest), rest);
  if (job.output.normals != nullptr) {
    store3(*job.rig, tile, lane, normal, job.output.normals, job.output.normal_stride);
  }
  if (tangents == nullptr) return;
  const V3 old = load3(tangents, lane);
  const V3 image = transform(derivative, old, zero3());
  const V3 flat = mul_add(normal, hn::Neg(dot(image, normal)), image);
  const V3 tangent = normalized(flat, old);
  const V handedness = hn::LoadU(D(), job.rig->tangents.data() + (tile * 4 + 3) * tile_size + lane);
  store4(*job.rig, tile, lane, {tangent.x, tangent.y, tangent.z, handedness}, job.output.tangents,
         job.output.tangent_stride);
}

// Runs Method::deform<kSurface>(job, lanes, point) over the tiles.
template <class Method, bool kSurface>
HWY_INLINE void run_tiles(const Job& job, std::size_t begin, std::size_t end) {
  const PackedRig& rig = *job.rig;
  const bool with_tangents = job.output.tangents != nullptr && !rig.tangents.empty();
  HWY_ALIGN float positions[3 * tile_size];
  HWY_ALIGN float normals[3 * tile_size];
  HWY_ALIGN float tangents[3 * tile_size];
  for (std::size_t tile = begin; tile < end; ++tile) {
    const std::size_t first = rig.first_entry[tile];
    const float* p = shaped(rig, *job.pose, tile, rig.positions.data() + tile * 3 * tile_size,
                            rig.shape_positions, positions);
    const float* n = nullptr;
    const float* t = nullptr;
    if constexpr (kSurface) {
      n = shaped(rig, *job.pose, tile, rig.normals.data() + tile * 3 * tile_size, rig.shape_normals,
                 normals);
      if (with_tangents) {
        t = shaped(rig, *job.pose, tile, rig.tangents.data() + tile * 4 * tile_size,
                   rig.shape_tangents, tangents);
      }
    }
    for (std::size_t lane = 0; lane < tile_size; lane += hn::Lanes(D())) {
      const Lanes lanes{rig.entries.data() + first, rig.weights.data() + first * tile_size + lane,
                        rig.first_entry[tile + 1] - first, lane, tile * tile_size + lane};
      const Deformed result = Method::template deform<kSurface>(job, lanes, load3(p, lane));
      if (job.output.positions != nullptr) {
        store3(rig, tile, lane, result.position, job.output.positions, job.output.position_stride);
      }
      if constexpr (kSurface) store_surface(job, tile, lane, n, t, result.derivative);
    }
  }
}

template <class Method>
HWY_INLINE void run_method(const Job& job, std::size_t begin, std::size_t end) {
  if (job.output.normals != nullptr || job.output.tangents != nullptr) {
    run_tiles<Method, true>(job, begin, end);
  } else {
    run_tiles<Method, false>(job, begin, end);
  }
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
