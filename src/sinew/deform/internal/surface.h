// SPDX-License-Identifier: Apache-2.0
// What a change of weights along the surface does to normals.
#pragma once

#include <functional>
#include <vector>

#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/internal/skin_slopes.h"
#include "sinew/deform/reference/skinning.h"
#include "sinew/mesh/mesh.h"

namespace sinew::reference {

// Moves a point of the rest shape; `vertex` is the one it lies at or next to.
using PointMap = std::function<Vec3(std::size_t vertex, const SkinPoint& point)>;

// The surface about each vertex, followed a little way forth and back along two directions of its
// tangent plane, and along its tangent where there are tangents. What a map makes of these probes
// gives the images of normal and tangent under its derivative.
class SurfaceProbes {
 public:
  // All must outlive this, be of one mesh and have its sizes: deform_reference() sees to that.
  SurfaceProbes(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                const SkinRows& rows, const std::vector<Vec3>& normals,
                const std::vector<Vec4>& tangents);

  std::size_t per_vertex() const { return tangents_.empty() ? 4 : 6; }
  // Calls visit(SkinPoint) for each probe of the vertex, with the weights and endpoint weights
  // there (SkinSlopes).
  void at(std::size_t vertex, const std::function<void(const SkinPoint&)>& visit) const;

 private:
  const std::vector<Vec3>& positions_;
  const std::vector<Vec3>& normals_;
  const std::vector<Vec4>& tangents_;
  SkinSlopes slopes_;
  double step_ = 0;
};

// The normal from the images of its vertex's probes: the cross product of the two directions'
// images. Where that vanishes (a shape folded flat) the old normal comes back.
Vec3 normal_from_probes(std::span<const Vec3> images, const Vec3& normal);
// The tangent likewise, made orthogonal to the new normal.
Vec4 tangent_from_probes(std::span<const Vec3> images, const Vec3& new_normal, const Vec4& tangent);

// The images of each vertex's normal (and tangent) under the map's derivative.
void deform_surface(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                    const SkinRows& rows, const PointMap& map, std::vector<Vec3>& normals,
                    std::vector<Vec4>& tangents);

// The whole reference of a method that moves each point by itself.
Deformed deform_points(const ReferenceInput& input, const PointMap& map);

}  // namespace sinew::reference
