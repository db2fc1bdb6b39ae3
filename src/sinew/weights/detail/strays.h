// SPDX-License-Identifier: Apache-2.0
// Strays: skin that follows none of the bones near it.
#pragma once

#include <vector>

#include "sinew/skeleton/limbs.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/weights.h"
#include "sinew/weights/detail/bone_ways.h"

namespace sinew::detail {

// Returns for each vertex of the welded mesh whether it is a stray: less than a twentieth of its
// weight is on bones near it. A bone is near
// - if its path is at most twice as long as the path to the nearest bone; a bone of the same limb
//   not if the vertex lies beside the half of the nearest bone that is farther from it, and the
//   path is more than a twentieth longer (the top of a big head may not follow the neck, though
//   the neck's bone is hardly farther away than the head's);
// - if its path is at most four times as long, and no bone of its limb is nearer than twice;
// - where limbs meet: if the nearest bone is its parent or child, belongs to another limb, and the
//   head of the child is at most 3/4 of the nearest bone's length away (a shoulder may follow
//   the chest, an elbow may not);
// - if it is outside the shape, or if there is no path to it.
// The nearest bone is chosen among those that move something (have a twentieth of some vertex) or
// lie between two that do in the hierarchy. So the hand may move the fingers if their bones are not
// used.
//
// Strays extend along edges over vertices that follow the same bone, until it is the nearest one or
// at most a tenth farther away: if a shin follows the thigh, all its skin strays up to the knee.
//
// A part of the surface that follows one bone as a whole has no strays, nor has a blind part. The
// weights must fit the mesh; of vertices welded together the lowest counts.
std::vector<char> find_strays(const BoneWays& ways, const Skeleton& skeleton, const Limbs& limbs,
                              const Weights& weights);

}  // namespace sinew::detail
