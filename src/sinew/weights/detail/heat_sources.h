// SPDX-License-Identifier: Apache-2.0
// The bones or joints from which a vertex receives heat.
#pragma once

#include <span>
#include <vector>

#include "sinew/weights/detail/sight.h"
#include "sinew/weights/detail/unit_space.h"

namespace sinew::detail {

// The sources of a vertex: `count` entries of `handles` from `first` on, all at the same distance.
// count is 0 if none is visible.
struct HeatSource {
  double distance = 0;
  std::size_t first = 0;
  int count = 0;
};

struct HeatSources {
  std::vector<HeatSource> of_vertex;
  std::vector<int> handles;  // indices of segments, ascending for each vertex
};

// What the vertices see of some segments: bones, or joints as segments of length 0.
struct SeenSegments {
  HeatSources sources;
  // Of each vertex the nearest that it sees, one inside the shape if it sees any, of equally near
  // ones the first; `none` if it sees none.
  std::vector<int> nearest;
  std::vector<double> squared;  // its distance, squared; infinite if there is none
  std::vector<char> inside;     // whether it is inside the shape
};

// A segment is visible if its nearest point is (weights/detail/sight.h). Sources are the nearest
// visible ones: intervals of segments inside the shape take precedence, those outside are used only
// if none inside is visible. They are no farther than 8 times the distance to the nearest segment,
// since heat falls with the square of the distance. Segments whose distances agree to a
// ten-thousandth share the vertex.
SeenSegments look_around(const std::vector<Vec3>& positions, const Sight& sight,
                         const Stretches& stretches);

// Replaces the sources of the vertices marked in `wanted` by the nearest segments, visible or not.
void use_nearest(const std::vector<Vec3>& positions, std::span<const Segment> segments,
                 const std::vector<char>& wanted, HeatSources& sources);

}  // namespace sinew::detail
