// SPDX-License-Identifier: Apache-2.0
// A flat shape and its bones, laid into the plane z = 0.
#pragma once

#include <vector>

#include "sinew/geometry/flatness.h"
#include "sinew/mesh/weld.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::detail {

// The mesh loses its heights. Vertices that only a rim holds apart, along an edge ten times as
// steep as it is long in the plane, become one: a card's front and back then hang together where
// they did, and the rim is gone. Elsewhere what lies over one another stays apart.
void lay_flat(const FlatFrame& frame, Welded& mesh);

// Ends of bones that are nearer to the plane than `flat_share` of the shape's width come into it;
// those farther away keep their height over it, and so do short bones across the plane.
void lay_flat(const FlatFrame& frame, Skeleton& skeleton);

}  // namespace sinew::detail
