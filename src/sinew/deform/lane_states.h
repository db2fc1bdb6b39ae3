// SPDX-License-Identifier: Apache-2.0
// Bone states as they are computed in every frame: the numbers of eight bones side by side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sinew/core/vec.h"

namespace sinew {

// Eight consecutive bones in a pose; bone b is lane b % 8 of the b / 8-th. What is not needed for a
// PosedRig's detail is not set. Heads, axes and lengths at bind are in RigPlan::LaneBones.
struct LaneStates {
  using Lane = std::array<double, 8>;  // one number of each
  // As in BoneState; maps by columns.
  std::array<Lane, 12> matrix;
  std::array<Lane, 4> turn;
  std::array<Lane, 3> posed_head, posed_tail;
  std::array<Lane, 4> rotation;
  std::array<Lane, 9> across, scale_shear;  // the identity, and not set, if none is scaled
  Lane twist_head{}, twist_tail{}, own_twist{}, bulge{};
  Lane stretch;                                // by which the bone is longer than at bind
  std::array<std::array<double, 4>, 8> turns;  // `turn` bone by bone, for the bones that follow
  std::array<std::uint8_t, 8> is_scaled;       // 1 unless `matrix` only turns and moves
};

// A bone shorter or longer by less than this share of its length has its length at bind: what
// rounding makes of joints that only turn.
inline constexpr double least_stretch = 2e-12;

// One of the eight.
inline Vec3 lane_vector(const std::array<LaneStates::Lane, 3>& of, std::size_t lane) {
  return {of[0][lane], of[1][lane], of[2][lane]};
}

}  // namespace sinew
