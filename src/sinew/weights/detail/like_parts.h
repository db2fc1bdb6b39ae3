// SPDX-License-Identifier: Apache-2.0
// Which connected parts of two meshes are the same thing.
#pragma once

#include <vector>

#include "sinew/weights/detail/surface_lookup.h"

namespace sinew::detail {

// For each part of the target, the part of the source that is its like, or -1: each lies along at
// least 80% of the other's vertices, within `max_distance` and with normals within `min_cosine`.
// Parts are paired one to one, with small distances overall; judged by some hundreds of vertices of
// each. Where there are more than ten thousand parts, none has its like.
std::vector<int> like_parts(const Mesh& source, const SurfaceLookup& source_lookup,
                            const Mesh& target, const SurfaceLookup& target_lookup,
                            double min_cosine, double max_distance);

}  // namespace sinew::detail
