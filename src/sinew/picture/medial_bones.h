// SPDX-License-Identifier: Apache-2.0
// Bones for a silhouette, placed along its middle, in pixels: x to the right, y DOWN.
#pragma once

#include <array>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/picture/mask.h"

namespace sinew {

// Segments join two points each, by index, and point away from the root of their island. `parents`
// has for each segment the one that it hangs on; -1: none, it starts at the root. It starts where
// that one ends or, where it grows out of something thick, at a point of its own: it then goes
// along with that one as if nailed to it. Around a hole the last two segments end at one point.
struct PlaneBones {
  std::vector<Vec2> points;
  std::vector<std::array<int, 2>> segments;
  std::vector<int> parents;
};

// About `count` bones along the medial axis: the largest islands get one each; the others go to the
// branches that stand out most of the thickness of what they grow from, and to where straight bones
// are farthest from the axis, shared out so that the bones are nearest to all of it; what gets thin
// towards its end is divided last. The root of an island is the junction with the most room around
// it, or the middle of an axis without junctions; bones end about where the rounding of a limb's
// end has its centre. What is less than half as thick as the part that it grows from (ears of a
// head, limbs of a trunk) has bones only from where it leaves that part.
//
// No bone leaves the limb that it stands for, across a gap or a hole: where there are too few for
// that, they cover less of it. Holes of less than a two-hundredth of the figure's area are
// overlooked. There are fewer bones than asked for only where the axis is too
// short for more, and at least one. Islands of less than a hundredth of the largest one's area get
// none. A blob without branches has one bone along its longer direction, as long as its radius and
// at least a pixel.
//
// Masks of more than 512 pixels on a side are looked at coarsely; thin lines and gaps stay. Throws
// UsageError for an empty mask or a count below 1.
PlaneBones medial_bones(const Mask& mask, int count);

}  // namespace sinew
