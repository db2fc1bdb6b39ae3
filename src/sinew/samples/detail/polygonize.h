// SPDX-License-Identifier: Apache-2.0
// Triangulates the surface of a field by marching tetrahedra on a graded body-centred lattice.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/samples/internal/implicit.h"

namespace sinew::samples {

// A piece of surface: triangles counter-clockwise seen from outside.
struct Surface {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
};

// The surface of `field`, closed and manifold for any field. Vertices are somewhat denser than
// `edge` and triangles may be badly shaped: the result is meant for remesh. With `half`, only the
// part in x >= 0, with its border exactly in the plane x = 0; only border edges join two border
// vertices.
Surface polygonize(const Field& field, double edge, bool half);

// A half surface and its mirror image, joined along the border. Vertices of the half come first.
Surface with_mirror_image(const Surface& half);

}  // namespace sinew::samples
