// SPDX-License-Identifier: Apache-2.0
// Which bones or joints a vertex of a surface takes its heat from.
#pragma once

#include <span>
#include <vector>

#include "sinew/geometry/bvh.h"
#include "sinew/weights/detail/unit_space.h"

namespace sinew::detail {

// What a vertex sees: its sources are those of `handles` from `first` on, `count` of them, all at
// the same distance. None are visible: count is 0.
struct HeatSource {
  double distance = 0;
  std::size_t first = 0;
  int count = 0;
};

struct HeatSources {
  std::vector<HeatSource> of_vertex;
  std::vector<int> handles;  // indices of segments, ascending for each vertex
};

// For each position the nearest of the segments (bones, or joints as segments without length) that
// it sees, at its nearest point (weights/detail/sight.h). Stretches of segments inside the shape
// come first, those outside only where none inside is visible. Looks no farther than 8 times the
// distance to the nearest segment, since heat falls with the square. Segments that are equally
// near, to a ten-thousandth, share.
HeatSources visible_sources(const std::vector<Vec3>& positions,
                            const std::vector<Triangle>& triangles,
                            std::span<const Segment> segments);

// The nearest ones, seen or not, for the vertices marked in `wanted`.
void use_nearest(const std::vector<Vec3>& positions, std::span<const Segment> segments,
                 const std::vector<char>& wanted, HeatSources& sources);

}  // namespace sinew::detail
