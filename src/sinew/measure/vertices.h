// SPDX-License-Identifier: Apache-2.0
// What a deformation does at each vertex, so that the worst places can be shown on the surface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"

namespace sinew {

// One value for each vertex; copies of a vertex along seams have those of their own triangles.
struct VertexStrain {
  // The largest and smallest ratio of deformed to rest length of an edge that ends there; 1 where
  // there is none.
  std::vector<double> longest, shortest;
  // The largest of the triangles there, in radians (see TriangleStrain); 0 where there is none.
  std::vector<double> shear;
};

// Throws as edge_stretch() and triangle_strains().
VertexStrain vertex_strain(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest,
                           const std::vector<Vec3>& deformed);

// What is wrong with a triangle at a vertex, as bits: it goes through another that it does not
// touch at rest (self_intersections.h), or it is distorted (strain.h, parts.h).
inline constexpr std::uint8_t crossing_fault = 1, distorted_fault = 2;

// For each vertex the faults of its triangles: those that `sinew compare` paints red. Arguments and
// errors as those of measure().
std::vector<std::uint8_t> vertex_faults(const Rig& rig, std::span<const BoneState> states,
                                        const std::vector<Vec3>& rest,
                                        const std::vector<Vec3>& deformed);

}  // namespace sinew
