// SPDX-License-Identifier: Apache-2.0
// Weights for what a method could not reach, from the nearest surface that has some.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/skin/weights.h"

namespace sinew::detail {

// Fills each empty row with the weights, interpolated, of the nearest point on triangles whose
// three corners have a row; where there is no such triangle, with those of the nearest vertex that
// has one. Leaves all empty if all are. Returns how many it filled.
std::size_t fill_from_nearest(const std::vector<Vec3>& positions,
                              const std::vector<Triangle>& triangles,
                              std::vector<std::vector<Influence>>& rows);

}  // namespace sinew::detail
