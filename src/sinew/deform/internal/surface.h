// SPDX-License-Identifier: Apache-2.0
// Normals and tangents by finite differences along the surface, including the change of weights.
#pragma once

#include <functional>
#include <vector>

#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/internal/skin_slopes.h"
#include "sinew/deform/reference/skinning.h"
#include "sinew/mesh/mesh.h"

namespace sinew::reference {

// Probes around each vertex: small steps forth and back along two directions of the tangent plane,
// and along the tangent if there are tangents. The images of these probes under a map give those of
// the normal and tangent under its derivative.
class SurfaceProbes {
 public:
  // All arguments must outlive this, belong to one mesh and fit its sizes; deform_reference()
  // ensures that.
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

// The normal from the images of its vertex's probes: the cross product of the images of the two
// directions. If that vanishes (a shape folded flat), the old normal.
Vec3 normal_from_probes(std::span<const Vec3> images, const Vec3& normal);
// The tangent likewise, made orthogonal to the new normal.
Vec4 tangent_from_probes(std::span<const Vec3> images, const Vec3& new_normal, const Vec4& tangent);

// Transforms each vertex's normal (and tangent) by the map's derivative.
void deform_surface(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                    const SkinRows& rows, const PointMap& map, std::vector<Vec3>& normals,
                    std::vector<Vec4>& tangents);

// The map after the bulges of the rig's muscles (deform/muscles.h) in the input's pose. The input
// must outlive it.
PointMap swollen(const ReferenceInput& input, PointMap map);

// The complete reference of a method that deforms each point independently.
Deformed deform_points(const ReferenceInput& input, const PointMap& map);

}  // namespace sinew::reference
