// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/blend_shapes.h"

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

// Calls add(vertex, delta) for each vertex that the shape moves.
template <class Add>
void for_each_delta(const BlendShape& shape, const std::vector<Vec3>& deltas, Add add) {
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    add(shape.vertices.empty() ? i : static_cast<std::size_t>(shape.vertices[i]), deltas[i]);
  }
}

}  // namespace

ShapedMesh blend_shapes(const Mesh& mesh, std::span<const double> weights) {
  ShapedMesh shaped;
  blend_shapes(mesh, weights, shaped);
  return shaped;
}

void blend_shapes(const Mesh& mesh, std::span<const double> weights, ShapedMesh& shaped) {
  if (weights.size() > mesh.shapes.size()) {
    throw UsageError(
        formatted("{} weights for {} blend shapes", weights.size(), mesh.shapes.size()));
  }
  shaped.positions = mesh.positions;
  shaped.tangents = mesh.tangents;
  if (mesh.normals.per_vertex()) {
    shaped.normals = mesh.normals.values;
  } else {
    shaped.normals.clear();
  }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const BlendShape& shape = mesh.shapes[k];
    const double weight = weights[k];
    if (weight == 0) continue;
    for_each_delta(shape, shape.positions, [&](std::size_t v, const Vec3& delta) {
      shaped.positions[v] += weight * delta;
    });
    if (!shaped.normals.empty()) {
      for_each_delta(shape, shape.normals, [&](std::size_t v, const Vec3& delta) {
        shaped.normals[v] += weight * delta;
      });
    }
    if (!shaped.tangents.empty()) {
      for_each_delta(shape, shape.tangents, [&](std::size_t v, const Vec3& delta) {
        Vec4& t = shaped.tangents[v];
        t = {t.x + weight * delta.x, t.y + weight * delta.y, t.z + weight * delta.z, t.w};
      });
    }
  }
  for (Vec3& normal : shaped.normals) normal = normalized(normal, Vec3{0, 0, 1});
}

}  // namespace sinew
