// SPDX-License-Identifier: Apache-2.0
// Turns a dense surface with arbitrary triangles into one with a given number of vertices and
// well-shaped triangles.
#pragma once

#include <cstddef>
#include <functional>

#include "sinew/core/progress.h"
#include "sinew/samples/detail/polygonize.h"

namespace sinew::samples {

struct RemeshRules {
  // The target edge length at a point, up to a common factor.
  std::function<double(const Vec3&)> edge_length;
  // Projects a point onto the shape in `steps` steps; `border` is set for border vertices. Called
  // from several threads.
  std::function<Vec3(const Vec3& p, bool border, int steps)> project;
};

// Collapses the edges that are shortest relative to the target length until `vertex_target`
// vertices are left, counting vertices not on the border `copies` times (twice for a half to be
// mirrored). Then improves the triangles. Border and topology are preserved. Vertices and triangles
// keep their order, with gaps closed.
Surface remesh(const Surface& dense, std::size_t vertex_target, std::size_t copies,
               const RemeshRules& rules, const Progress& progress = {});

}  // namespace sinew::samples
