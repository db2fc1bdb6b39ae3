// SPDX-License-Identifier: Apache-2.0
// A lattice of cubes that fills any surface: finer in thin parts, and parted where parts come
// close.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/weights/detail/domain.h"

namespace sinew::detail {

// Positions and triangles are those of a welded mesh; anything goes: holes, islands, faces that run
// the wrong way or through one another. About `nodes` nodes.
//
// Each body (see solids.h) that a bone reaches gets cubes of its own, a fixed share of its
// thickness there in size, and kept where they meet the inside (winding number above 1/2) or carry
// surface. A cube is cut into eight parts; those inside that see one another without leaving the
// body hang together, and a cube has one copy of itself for each such group, joined with the copies
// beside it that it is open to. So fingers that touch share no node, however coarse the cubes are.
// Values are trilinear in a cube and continuous where small ones meet large ones.
Domain lattice_domain(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                      const Skeleton& skeleton, std::size_t nodes, const Progress& progress);

}  // namespace sinew::detail
