// SPDX-License-Identifier: Apache-2.0
// Triangles in the plane and tetrahedra as linear finite elements.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/weights/detail/domain.h"

namespace sinew::detail {

// A triangle in the plane z = 0 or a tetrahedron, with the gradients of its corners' hat functions.
struct Simplex {
  std::array<int, 4> nodes{};
  std::array<Vec3, 4> gradients;
  std::size_t corners = 0;
  double volume = 0;
};

// Gradients are not finite if the simplex has no volume.
Simplex simplex_of(const std::vector<Vec3>& points, const Tetrahedron& t);
Simplex simplex_of(const std::vector<Vec3>& points, const Triangle& t);

// Barycentric coordinates of a point, all at least -1e-9; empty if it lies outside. For triangles,
// z is ignored.
std::vector<Term> locate(const Simplex& simplex, const std::vector<Vec3>& points, const Vec3& p);

// Adds the samples at which bones prescribe values: nodes exactly on a bone, points of a bone that
// passes between nodes, and the nearest points of the shape where a bone runs beside it.
// `simplices` are the domain's elements, in the same order.
void hold_bones(const Skeleton& skeleton, const std::vector<Simplex>& simplices, Domain& domain);

}  // namespace sinew::detail
