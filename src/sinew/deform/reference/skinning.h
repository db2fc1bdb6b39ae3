// SPDX-License-Identifier: Apache-2.0
// Skinning in double precision, one point at a time, to be read beside the papers.
#pragma once

#include <span>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/skin_rows.h"
#include "sinew/deform/skinning.h"

namespace sinew::reference {

// A point of the rest shape and what ties it to the bones. The weights of `row` sum to 1; an empty
// row leaves the point where it is. Bones in it must have a state in `bones` of the calls below:
// nothing is checked for a single point.
struct SkinPoint {
  Vec3 position;
  std::span<const SkinInfluence> row;
};

// p' = sum_i w_i T_i(p): Jacobson and Sorkine 2011, eq. 1 with `matrix`, eq. 2 with `rigid`, eq. 5
// with `stbs`.
Vec3 linear_blend(const SkinPoint& point, std::span<const BoneState> bones, BoneMap map);

// Kavan et al. 2008, in two phases: what is not rigid is blended linearly about the bones' heads
// first, then the rigid motions are blended as unit dual quaternions, each with the sign that
// agrees with the vertex's largest weight.
Vec3 dual_quaternion_blend(const SkinPoint& point, std::span<const BoneState> bones, BoneMap map);

}  // namespace sinew::reference
