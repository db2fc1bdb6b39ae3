// SPDX-License-Identifier: Apache-2.0
// Turns a dense surface of any triangles into one with as many vertices as wanted, well shaped.
#pragma once

#include <cstddef>
#include <functional>

#include "sinew/core/progress.h"
#include "sinew/samples/detail/polygonize.h"

namespace sinew::samples {

struct RemeshRules {
  // The wanted edge length at a place, up to a common factor.
  std::function<double(const Vec3&)> edge_length;
  // A place moved onto the shape, by `steps` steps; `border` for vertices of the border. Called
  // from several threads.
  std::function<Vec3(const Vec3& p, bool border, int steps)> project;
};

// Takes out the edges that are shortest for their place until `vertex_target` vertices are left,
// counting those that are not on the border `copies` times (twice for a half to be mirrored). Then
// evens the triangles out. The border stays border; the topology stays. Vertices and triangles keep
// their order, with gaps closed.
Surface remesh(const Surface& dense, std::size_t vertex_target, std::size_t copies,
               const RemeshRules& rules, const Progress& progress = {});

}  // namespace sinew::samples
