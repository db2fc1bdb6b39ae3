// SPDX-License-Identifier: Apache-2.0
// Skinning in double precision, one point at a time, to be read beside the papers.
#pragma once

#include <span>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/skin_rows.h"
#include "sinew/deform/skinning.h"

namespace sinew::reference {

// A point of the rest shape and its influences. The weights of `row` sum to 1; a point with an
// empty row does not move. The functions below do not check that `bones` has a state for each bone
// of the row.
struct SkinPoint {
  Vec3 position;
  std::span<const SkinInfluence> row;
};

// p' = sum_i w_i T_i(p): Jacobson and Sorkine 2011, eq. 1 with `matrix`, eq. 2 with `rigid`, eq. 5
// with `stbs`.
Vec3 linear_blend(const SkinPoint& point, std::span<const BoneState> bones, BoneMap map);

// Kavan et al. 2008, in two phases: first the non-rigid parts are blended linearly, about the
// bones' heads; then the rigid motions are blended as unit dual quaternions, each with the sign
// that agrees with the bone of the largest weight.
Vec3 dual_quaternion_blend(const SkinPoint& point, std::span<const BoneState> bones, BoneMap map);

}  // namespace sinew::reference
