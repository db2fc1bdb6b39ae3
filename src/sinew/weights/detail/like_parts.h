// SPDX-License-Identifier: Apache-2.0
// Finds corresponding connected parts of two meshes.
#pragma once

#include <vector>

#include "sinew/weights/detail/surface_lookup.h"

namespace sinew::detail {

// For each part of the target, the corresponding part of the source, or -1. Two parts correspond if
// at least 80% of each one's vertices lie within `max_distance` of the other, with normals within
// `min_cosine`. Parts are paired one to one so that distances are small overall, judged by a few
// hundred vertices of each. With more than ten thousand parts, none are paired.
std::vector<int> like_parts(const Mesh& source, const SurfaceLookup& source_lookup,
                            const Mesh& target, const SurfaceLookup& target_lookup,
                            double min_cosine, double max_distance);

}  // namespace sinew::detail
