// SPDX-License-Identifier: Apache-2.0
// What ties a mesh to its bones: bone weights, endpoint weights and their filters, muscles, and how
// the bones' motions are blended.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/skin/filter.h"
#include "sinew/skin/muscle.h"
#include "sinew/skin/weights.h"

namespace sinew {

// The share of dual quaternions where a mix of the two ways to blend is asked for and nothing says
// how much of each.
inline constexpr double default_blend_share = 0.5;

// One value, so that endpoint weights are never parted from their influences.
struct Skin {
  Weights weights;  // one row per vertex, or no rows at all for a mesh without skin
  // Endpoint weights in [0, 1], one for each of weights.influences; or empty.
  std::vector<double> endpoints{};
  std::vector<double> twist_endpoints{};  // for the twist, where it differs from stretch; or empty
  std::vector<BoneFilter> filters{};      // one per bone, applied to the two above; or empty
  std::vector<Muscle> muscles{};          // one per bone; or empty
  // One per vertex, in [0, 1]: 0 blends linearly, 1 with dual quaternions; or empty. Read by the
  // methods that mix the two (deform/skinning.h).
  std::vector<double> blend_shares{};

  friend bool operator==(const Skin&, const Skin&) = default;
};

// How many bones the skin needs at least: the highest in its influences, and all that have filters
// or muscles.
std::size_t bones_used(const Skin& skin);

// Throws InputError naming the first vertex or bone that breaks a rule (see weights.h, filter.h,
// muscle.h), or has a blend share outside [0, 1].
void validate(const Skin& skin, std::size_t vertex_count, std::size_t bone_count);

}  // namespace sinew
