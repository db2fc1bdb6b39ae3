// SPDX-License-Identifier: Apache-2.0
// Vertices that follow a bone of the wrong limb: a finger tied to the thigh it hangs beside.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/weights.h"

namespace sinew {

// The vertices, ascending, whose dominant bone (compare.h) is in a limb that is neither the limb of
// a near bone nor adjacent to it (skeleton/limbs.h). Near is the bone that is nearest among those
// in sight, and every other one in sight at no more than twice its distance: between two fingers or
// at a crotch it is open to which limb a vertex belongs. A bone is in sight if the straight way
// from the vertex to its nearest point does not pass through the surface; where no bone is in sight
// (loose clothes, hair, flat shapes) all of them count as being. Vertices without weights do not
// bleed. Throws InputError for weights that do not fit, and for a mesh or skeleton with an index
// out of range.
std::vector<Index> bleeding_vertices(const Mesh& mesh, const Skeleton& skeleton,
                                     const Weights& weights);

}  // namespace sinew
