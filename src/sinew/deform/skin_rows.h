// SPDX-License-Identifier: Apache-2.0
// What ties each vertex to the bones, with everything that can be computed once already computed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/rig/rig.h"

namespace sinew {

// Of one bone on one vertex.
struct SkinInfluence {
  int bone = 0;
  double weight = 0;
  double stretch = 0;  // e for the stretch, after the bone's filter
  double twist = 0;    // e for the twist, after the bone's filter
};

// Row v is influences[offsets[v]] to influences[offsets[v + 1] - 1]. Weights sum to 1; a vertex
// without any weight has an empty row and stays where it is.
struct SkinRows {
  std::vector<std::size_t> offsets{0};
  std::vector<SkinInfluence> influences;

  // `vertex` must exist.
  std::span<const SkinInfluence> row(std::size_t vertex) const {
    return std::span(influences).subspan(offsets[vertex], offsets[vertex + 1] - offsets[vertex]);
  }
};

// From the rig's weights, endpoint weights (projection, where it has none) and filters. Throws
// InputError for weights, endpoint weights or filters that do not fit the mesh and the bones; those
// of a mesh without any weights are empty rows.
SkinRows skin_rows(const Rig& rig);

// The same before the filters.
SkinRows unfiltered_skin_rows(const Rig& rig);

}  // namespace sinew
