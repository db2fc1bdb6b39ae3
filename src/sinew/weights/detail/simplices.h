// SPDX-License-Identifier: Apache-2.0
// Triangles in the plane and tetrahedra, as finite elements with linear functions.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/weights/detail/domain.h"

namespace sinew::detail {

// Triangles (in the plane z = 0) and tetrahedra alike: the gradients of the corners' hat functions.
struct Simplex {
  std::array<int, 4> nodes{};
  std::array<Vec3, 4> gradients;
  std::size_t corners = 0;
  double volume = 0;
};

// Gradients are not finite where there is no volume.
Simplex simplex_of(const std::vector<Vec3>& points, const Tetrahedron& t);
Simplex simplex_of(const std::vector<Vec3>& points, const Triangle& t);

// Shares of the corners at a place, all at least -1e-9; empty if it lies outside. In the plane, the
// height does not matter.
std::vector<Term> locate(const Simplex& simplex, const std::vector<Vec3>& points, const Vec3& p);

// Holds the domain's bones: nodes that lie on a bone exactly, points of it where it passes between
// nodes, and the nearest points of the shape where it runs beside it. `simplices` are the domain's
// elements, in the same order.
void hold_bones(const Skeleton& skeleton, const std::vector<Simplex>& simplices, Domain& domain);

}  // namespace sinew::detail
