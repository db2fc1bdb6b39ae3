// SPDX-License-Identifier: Apache-2.0
// Vertices that follow a bone of the wrong limb, or one far away: for example a finger that follows
// the thigh it hangs beside. And bones that have lost their skin.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/weights.h"

namespace sinew {

// The vertices that do, and whom they follow.
struct Bleeding {
  std::vector<Index> vertices;   // ascending
  std::vector<BoneIndex> bones;  // for each vertex, the foreign bone with the largest weight
  // Bones that move none of the skin around them (weights/detail/bone_use.h): if all skin of a bone
  // is tied elsewhere, this is what shows, as a rig need not use every bone.
  std::vector<BoneIndex> idle_bones;
};

// The vertices that foreign limbs (skeleton/limbs.h) move most.
//
// The path from a vertex to a bone runs along surface edges to a vertex that sees the bone
// (weights/detail/sight.h), and from there straight to the bone. It does not cross gaps: the path
// from a fingertip to the hand's bone is short, while the path to the thigh beside it leads up the
// arm and down the trunk. A path more than 5/4 as long as the straight line leads around a gap. A
// bone is near if its path is at most twice as long as the path to the nearest bone. A limb is
// foreign to a vertex
// - if neither it nor an adjacent limb is near, and the path to it leads around a gap or is more
//   than four times as long as the path to the nearest bone;
// - if the path to it leads around a gap and is more than four times as long as the path to the
//   nearest bone, or more than 5/4 as long if it is also twice as long as the straight line.
//
// A vertex may follow a limb outside the shape if it sees it. Straight lines are used instead of
// paths for a part of the surface that is flat while the shape is not, or where fewer than a tenth
// of the vertices see a bone inside the shape (clothes, hair, a sword). A part that follows one
// limb as a whole (an armour plate of a robot) is attached to it, and no limb is foreign to it.
//
// Independently of that, skin out of reach of the bones that it follows bleeds, even if it
// continues the skin of its bone without a break (weights/detail/strays.h): a forearm that follows
// the chest, a shin that follows the thigh of the same leg.
//
// Vertices without weights do not bleed. Throws InputError for weights that do not fit, and for a
// mesh or skeleton with an index out of range.
Bleeding find_bleeding(const Mesh& mesh, const Skeleton& skeleton, const Weights& weights);

}  // namespace sinew
