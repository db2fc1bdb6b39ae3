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
// weight is on bones that reach it. The depth of a vertex is the length of the path to the nearest
// bone, and a bone's own skin are the vertices that see no bone nearer, to a hundredth. A bone
// reaches a vertex
// - that is at most 1.5 depths away from the bone's own skin, along the surface: automatic weights
//   and artists tie skin up to 1.3 depths away (RiggedFigure's neck, the Fox's paws and spine);
// - where limbs meet: if the nearest bone is the first of a limb that branches from it, and the
//   vertex is at most a third of that bone's length from its head (artists tie shoulders to the
//   chest, up to a quarter);
// - if the bone is outside the shape, if there is no path to it, or, where it has no skin of its
//   own, if its path is at most twice as long as the depth.
// Only bones in use count as nearest (bone_use.h; `with_skin` as there). So the hand may move the
// fingers if their bones are not used.
//
// Strays extend along edges over vertices that follow the same bone, up to a tenth of a depth from
// its own skin: if a shin follows the thigh, all its skin strays up to the knee.
//
// A part of the surface that follows one bone as a whole has no strays, nor has a blind part. The
// weights must fit the mesh; of vertices welded together the lowest counts.
std::vector<char> find_strays(const BoneWays& ways, const Skeleton& skeleton, const Limbs& limbs,
                              const Weights& weights, const std::vector<char>& with_skin);

}  // namespace sinew::detail
