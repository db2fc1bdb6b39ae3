// SPDX-License-Identifier: Apache-2.0
// Bones for a silhouette, placed along its middle, in pixels: x to the right, y DOWN.
#pragma once

#include <array>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/picture/mask.h"

namespace sinew {

// Segments join two points each, by index, and point away from the root of their island. `parents`
// has the parent of each segment; -1: none, the segment starts at the root. A segment starts where
// its parent ends or, if it grows out of something thick, at a point of its own, which then moves
// rigidly with the parent. Around a hole the last two segments end at the same point.
struct PlaneBones {
  std::vector<Vec2> points;
  std::vector<std::array<int, 2>> segments;
  std::vector<int> parents;
};

// About `count` bones along the medial axis. The largest islands get one each. The others go to the
// branches that stand out most from what they grow from, and to places where straight bones are
// farthest from the axis, distributed so that the bones fit the whole axis best; parts that taper
// towards their end are divided last. The root of an island is the junction with the most room
// around it, or the middle of an axis without junctions. Bones end at about the centre of the
// rounded end of a limb. Parts less than half as thick as the part they grow from (ears on a head,
// limbs on a trunk) have bones only from where they leave it.
//
// No bone leaves its limb to cross a gap or a hole; if there are too few bones for that, they cover
// less of the limb. Holes of less than a two-hundredth of the figure's area are ignored. There is
// at least one bone, and fewer than `count` only if the axis is too short for more. Islands smaller
// than a hundredth of the largest one get none. A blob without branches has one bone along its
// longer direction, as long as its radius and at least a pixel.
//
// Masks of more than 512 pixels on a side are processed at reduced resolution, preserving thin
// lines and gaps. Throws UsageError for an empty mask or a count below 1.
PlaneBones medial_bones(const Mask& mask, int count);

}  // namespace sinew
