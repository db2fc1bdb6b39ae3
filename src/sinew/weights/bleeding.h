// SPDX-License-Identifier: Apache-2.0
// Vertices that follow a bone of the wrong limb, or one far away: a finger tied to the thigh it
// hangs beside.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/weights.h"

namespace sinew {

// The vertices that do, and whom they follow.
struct Bleeding {
  std::vector<Index> vertices;  // ascending
  std::vector<int> bones;       // for each of them, the foreign bone that has most of it
};

// The vertices that foreign limbs (skeleton/limbs.h) move most.
//
// The way from a vertex to a bone goes along edges of the surface to a vertex that sees the bone
// (weights/detail/sight.h), and straight on from there. So it does not cross a gap: the way from a
// fingertip to the hand's bone is short, and the way to the thigh beside it leads up the arm and
// down the trunk. It leads around a gap where it is more than 5/4 of the straight line. Near are
// the bones whose way is at most twice as long as that to the nearest one. A limb is foreign
// - if neither it nor a limb next to it is near, and the way to it leads around a gap or is more
//   than four times as long as that to the nearest bone;
// - wherever the way to it leads around a gap and is more than four times as long as that to the
//   nearest bone, or more than 5/4 of that where it is twice as long as the straight line.
// What sees a limb that lies outside of the shape may follow it. A part of the surface that is flat
// while the shape is not, or where fewer than a tenth of the vertices see a bone inside the shape
// (clothes, hair, a sword), has nothing to go by but straight lines. A part that follows one limb
// as a whole hangs on that (the plates of a robot), and no limb is foreign to it.
//
// Whatever the limb, a piece of a bone's skin that lies apart from it, behind other bones' skin,
// bleeds as well (weights/detail/exclaves.h): a forearm that follows the chest, with the upper arm
// between, or a foot that follows the thigh.
//
// Vertices without weights do not bleed. Throws InputError for weights that do not fit, and for a
// mesh or skeleton with an index out of range.
Bleeding find_bleeding(const Mesh& mesh, const Skeleton& skeleton, const Weights& weights);

}  // namespace sinew
