// SPDX-License-Identifier: Apache-2.0
// In which tiles all rotations agree in sign.
#include "sinew/core/internal/lane_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/kernels/hemispheres.cpp"
#include <algorithm>
#include <cstring>

#include <hwy/foreach_target.h>

#include "sinew/core/internal/lanes-inl.h"
#include "sinew/kernels/detail/skinning_pose.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

constexpr float pair_rounding = 1e-5f;  // more than that of floats, and than half_turn_margin

// Whether no two rotations of a pair of bones are ever opposite: the angle between the centers plus
// the radii of both arcs is less than a quarter turn.
#if HWY_TARGET == HWY_WASM
void compare_pairs(const BlendedPairs& blended_pairs, PackedPose& pose) {
  for (std::size_t pair = 0; pair < blended_pairs.pairs.size(); ++pair) {
    const auto& [from, to] = blended_pairs.pairs[pair];
    const auto& a = pose.arcs[from].numbers;
    const auto& b = pose.arcs[to].numbers;
    const float between = (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
    const bool agree = a[4] * b[4] - a[5] * b[5] > pair_rounding &&
                       between > a[6] * b[7] + a[7] * b[6] + pair_rounding;
    pose.pair_in_hemisphere[pair] = agree ? 1 : 0;
  }
}
#else
void compare_pairs(const BlendedPairs& blended_pairs, PackedPose& pose) {
  using lanes::HWY_NAMESPACE::Floats;
  using Quad32 = float __attribute__((vector_size(16)));
  using Whole = decltype(Quad32{} > Quad32{});
  const std::size_t count = blended_pairs.pairs.size();
  for (std::size_t first = 0; first < count; first += 4) {
    Floats p[4];
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& [from, to] = blended_pairs.pairs[std::min(first + i, count - 1)];
      Floats a, b;
      std::memcpy(&a, pose.arcs[from].numbers.data(), sizeof a);
      std::memcpy(&b, pose.arcs[to].numbers.data(), sizeof b);
      p[i] = a * __builtin_shufflevector(b, b, 0, 1, 2, 3, 4, 5, 7, 6);
    }
    // The four numbers of each half beside those of the other pairs.
    const Floats xy01 = __builtin_shufflevector(p[0], p[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const Floats xy23 = __builtin_shufflevector(p[2], p[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const Floats zw01 = __builtin_shufflevector(p[0], p[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const Floats zw23 = __builtin_shufflevector(p[2], p[3], 2, 10, 3, 11, 6, 14, 7, 15);
    const Floats x = __builtin_shufflevector(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13);
    const Floats y = __builtin_shufflevector(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15);
    const Floats z = __builtin_shufflevector(zw01, zw23, 0, 1, 8, 9, 4, 5, 12, 13);
    const Floats w = __builtin_shufflevector(zw01, zw23, 2, 3, 10, 11, 6, 7, 14, 15);
    const Floats sum = (x + y) + (z + w), difference = x - y, last = z + w;
    const Quad32 between = __builtin_shufflevector(sum, sum, 0, 1, 2, 3);
    const Quad32 radii = __builtin_shufflevector(difference, difference, 4, 5, 6, 7);
    const Quad32 across = __builtin_shufflevector(last, last, 4, 5, 6, 7);
    const Whole agree = (radii > pair_rounding) & (between > across + pair_rounding);
    using Bytes = std::uint8_t __attribute__((vector_size(4)));
    const Bytes bytes = __builtin_convertvector(agree & 1, Bytes);
    std::memcpy(&pose.pair_in_hemisphere[first], &bytes, sizeof bytes);
  }
}
#endif

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(compare_pairs);

void find_hemispheres(PackedPose& pose) {
  const BlendedPairs& blended_pairs = *pose.blended_pairs;
  HWY_DYNAMIC_DISPATCH(compare_pairs)(blended_pairs, pose);
  std::fill(pose.in_hemisphere.begin(), pose.in_hemisphere.end(), std::uint8_t{1});
  const std::uint8_t* flags = pose.pair_in_hemisphere.data();
  const std::size_t count = blended_pairs.pairs.size();
  // Mostly there is none that does not agree.
  const auto next = [&](std::size_t from) {
    const void* found = from < count ? std::memchr(flags + from, 0, count - from) : nullptr;
    return found == nullptr ? count : std::size_t(static_cast<const std::uint8_t*>(found) - flags);
  };
  for (std::size_t pair = next(0); pair < count; pair = next(pair + 1)) {
    for (std::size_t i = blended_pairs.first[pair]; i < blended_pairs.first[pair + 1]; ++i) {
      pose.in_hemisphere[blended_pairs.kinds[i]] = 0;
    }
  }
}

}  // namespace sinew::kernels
#endif
