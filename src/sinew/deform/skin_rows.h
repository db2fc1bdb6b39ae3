// SPDX-License-Identifier: Apache-2.0
// The influences of each vertex, with normalised weights and filtered endpoint weights.
#pragma once

#include "sinew/core/rows.h"
#include "sinew/rig/rig.h"

namespace sinew {

// Of one bone on one vertex.
struct SkinInfluence {
  BoneIndex bone = 0;
  double weight = 0;
  double stretch_endpoint = 0;  // e for the stretch, after the bone's filter
  double twist_endpoint = 0;    // e for the twist, after the bone's filter
};

// A row for each vertex. Weights sum to 1. A vertex without weights has an empty row and does not
// move.
using SkinRows = Rows<SkinInfluence>;

// From the rig's weights, endpoint weights (projection if it has none) and filters. For a rig
// without weights all rows are empty. Throws InputError for weights, endpoint weights or filters
// that do not fit the mesh and the bones.
SkinRows skin_rows(const Rig& rig);

// The same before the filters.
SkinRows unfiltered_skin_rows(const Rig& rig);

}  // namespace sinew
