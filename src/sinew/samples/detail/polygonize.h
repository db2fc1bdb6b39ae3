// SPDX-License-Identifier: Apache-2.0
// The surface of a field as triangles: marching tetrahedra on a graded body-centred lattice.
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

// The surface of `field`, closed and manifold whatever the field, with vertices rather denser than
// `edge` asks for and triangles of any shape: made to be thinned by remesh. With `half` the part in
// x >= 0 alone, whose border lies in the plane x = 0 exactly; no edge but the border's joins two
// border vertices.
Surface polygonize(const Field& field, double edge, bool half);

// A half surface and its mirror image, joined along the border. Vertices of the half come first.
Surface with_mirror_image(const Surface& half);

}  // namespace sinew::samples
