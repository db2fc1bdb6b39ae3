// SPDX-License-Identifier: Apache-2.0
// A lattice of cubes that fills any surface: finer in thin parts, and separated where parts of the
// surface come close to each other.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/weights/detail/domain.h"

namespace sinew::detail {

// Positions and triangles are those of a welded mesh. Holes, islands, flipped and intersecting
// faces are all allowed. The lattice has about `nodes` nodes.
//
// Each body (see solids.h) that a bone reaches gets its own cubes. Their size is a fixed fraction
// of the local thickness, and they are kept where they meet the inside (winding number above 1/2)
// or contain surface. A cube is divided into eight parts. Inside parts that see each other without
// leaving the body form a group, and the cube is duplicated once per group. Each copy is joined to
// the copies in neighbouring cubes that it is open to. So fingers that touch share no node, however
// coarse the cubes are. Values are trilinear in a cube and continuous where small cubes meet large
// ones.
Domain lattice_domain(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                      const Skeleton& skeleton, std::size_t nodes, const Progress& progress);

}  // namespace sinew::detail
