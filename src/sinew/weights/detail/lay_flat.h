// SPDX-License-Identifier: Apache-2.0
// Projects a flat shape and its bones to the plane z = 0.
#pragma once

#include <vector>

#include "sinew/geometry/flatness.h"
#include "sinew/mesh/weld.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::detail {

// Drops the mesh's heights. The two vertices of an edge whose height is ten times its length in the
// plane (the rim of a card) are merged, so that a card's front and back stay connected where they
// were and the rim disappears. Other vertices that coincide in the plane stay separate.
void lay_flat(const FlatFrame& frame, Welded& mesh);

// Bone ends closer to the plane than `flat_share` of the shape's width are moved into it. Ends
// farther away keep their height, and so do short bones that cross the plane.
void lay_flat(const FlatFrame& frame, Skeleton& skeleton);

}  // namespace sinew::detail
