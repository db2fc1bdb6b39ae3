// SPDX-License-Identifier: Apache-2.0
// The bulges of muscles, which move a tile before its bones do (deform/muscles.h).
#if defined(SINEW_KERNELS_BULGES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_BULGES_INL
#undef SINEW_KERNELS_BULGES_INL
#else
#define SINEW_KERNELS_BULGES_INL
#endif

#include <cstring>

#include "sinew/kernels/detail/surface-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

// Adds the tile's bulges to `to`, `count` floats for each.
SINEW_KERNEL_INLINE void add_bulges(const PackedRig& rig, const PackedPose& pose, std::size_t tile,
                                    const AlignedFloats& blocks, std::size_t count,
                                    float* HWY_RESTRICT to) {
  const D d;
  for (std::size_t i = rig.first_bulge[tile]; i < rig.first_bulge[tile + 1]; ++i) {
    const V drive = constant(pose.bulges[rig.bulges[i]]);
    const float* HWY_RESTRICT block = blocks.data() + i * count;
    for (std::size_t k = 0; k < count; k += hn::Lanes(d)) {
      hn::StoreU(hn::MulAdd(drive, hn::LoadU(d, block + k), hn::LoadU(d, to + k)), d, to + k);
    }
  }
}

SINEW_KERNEL_INLINE bool has_bulges(const PackedRig& rig, const PackedPose& pose,
                                    std::size_t tile) {
  return pose.any_bulge && rig.first_bulge[tile] != rig.first_bulge[tile + 1];
}

// The tile's positions with its bulges, in `scratch`, where they may be already.
SINEW_KERNEL_PART const float* swollen(const PackedRig& rig, const PackedPose& pose,
                                       std::size_t tile, const float* rest, float* scratch) {
  if (rest != scratch) std::memcpy(scratch, rest, 3 * tile_size * sizeof(float));
  add_bulges(rig, pose, tile, rig.bulge_moves, 3 * tile_size, scratch);
  return scratch;
}

// How far the two directions of the tangent plane move, in `scratch`.
SINEW_KERNEL_PART const float* swelling(const PackedRig& rig, const PackedPose& pose,
                                        std::size_t tile, float* scratch) {
  std::memset(scratch, 0, 6 * tile_size * sizeof(float));
  add_bulges(rig, pose, tile, rig.bulge_slopes, 6 * tile_size, scratch);
  return scratch;
}

// Adds what the bones make of that to the slopes of the result, which it may have none of.
SINEW_KERNEL_INLINE void add_swelling(DeformedLanes& result, bool has_slopes,
                                      const float* HWY_RESTRICT moved, std::size_t lane) {
  const V3 s = has_slopes ? result.slopes.s : zero3(), t = has_slopes ? result.slopes.t : zero3();
  result.slopes = {derivative_times(result, load3(moved, lane), s),
                   derivative_times(result, load3(moved + 3 * tile_size, lane), t)};
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
