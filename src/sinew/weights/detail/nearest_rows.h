// SPDX-License-Identifier: Apache-2.0
// Fills in weights for vertices that a method could not reach, from the nearest surface with
// weights.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/skin/weights.h"

namespace sinew::detail {

// Fills each empty row with the interpolated weights at the nearest point of the triangles whose
// three corners all have weights or, if there is no such triangle, with those of the nearest vertex
// that has weights. If all rows are empty, they stay so. Returns the number of rows filled.
std::size_t fill_from_nearest(const std::vector<Vec3>& positions,
                              const std::vector<Triangle>& triangles,
                              std::vector<std::vector<Influence>>& rows);

}  // namespace sinew::detail
