// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/self_intersections.h"

#include "sinew/measure/detail/crossings.h"
#include "sinew/measure/detail/require.h"

namespace sinew {

SelfIntersections self_intersections(const std::vector<Triangle>& triangles,
                                     const std::vector<Vec3>& rest,
                                     const std::vector<Vec3>& deformed) {
  detail::require_same_mesh(triangles, rest, deformed);
  return detail::Crossings(triangles, rest).find(deformed);
}

}  // namespace sinew
