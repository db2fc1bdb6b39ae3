// SPDX-License-Identifier: Apache-2.0
// Gives a rig another skeleton, and keeps what its joints and bones have in common with the old.
#pragma once

#include "sinew/rig/rig.h"

namespace sinew {

// Joints and bones are matched by the names of joints: the first of a name with the first, the
// second with the second. What belongs to a joint or bone without a partner, or without a name, is
// dropped, and nothing else:
// - Weights and endpoint weights follow their bones. Where some of a vertex's bones are gone, the
//   weights of the others are scaled to the same sum; where all are gone, the vertex has no
//   weights. If no vertex has weights, the rig has none.
// - Filters and muscles follow their bones; a muscle that follows a joint without a partner does so
//   no longer. Twist shares follow their joints where the new skeleton has none.
// - Channels of clips, generalized bones and limits follow their joints; a clip without channels is
//   removed. Transforms stay as they are, even if the joint is at another place at rest.
// - Influence curves, and the weights painted for them, are kept if all of their bones are.
// The mesh, blend shapes, blend shares and controls stay. The rig must be valid; the skeleton is
// checked by validate(rig) afterwards.
void replace_skeleton(Rig& rig, Skeleton skeleton);

}  // namespace sinew
