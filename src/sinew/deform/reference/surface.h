// SPDX-License-Identifier: Apache-2.0
// How weights change along the surface, and what that does to normals.
#pragma once

#include <functional>
#include <vector>

#include "sinew/deform/reference/skinning.h"
#include "sinew/mesh/mesh.h"

namespace sinew::reference {

// Moves a point of the rest shape; `vertex` is the one it lies at or next to.
using PointMap = std::function<Vec3(std::size_t vertex, const SkinPoint& point)>;

// The image of each vertex's normal (and tangent) under the map's derivative: two directions of the
// tangent plane are followed, together with the weights and endpoint weights along them (linear on
// the triangles, averaged by area at the vertex), and the normal is the cross product of their
// images. Where the derivative has no normal (a shape folded flat) the old normal comes back.
void deform_surface(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                    const SkinRows& rows, const PointMap& map, std::vector<Vec3>& normals,
                    std::vector<Vec4>& tangents);

}  // namespace sinew::reference
