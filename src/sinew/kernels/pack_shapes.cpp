// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sinew/kernels/detail/pack.h"

namespace sinew::kernels {

std::vector<BlendShape> shapes_with_normals(const Mesh& mesh) {
  if (has_vertex_normals(mesh)) return mesh.shapes;
  const std::vector<Vec3> rest = vertex_normals(mesh.positions, mesh.triangles);
  std::vector<BlendShape> shapes;
  for (const BlendShape& shape : mesh.shapes) {
    std::vector<Vec3> moves(mesh.vertex_count()), tangents(mesh.vertex_count());
    for (std::size_t i = 0; i < shape.positions.size(); ++i) {
      const std::size_t v = shape.vertices.empty() ? i : std::size_t{shape.vertices[i]};
      moves[v] = shape.positions[i];
      if (!shape.tangents.empty()) tangents[v] = shape.tangents[i];
    }
    std::vector<Vec3> moved = mesh.positions;
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += moves[v];
    const std::vector<Vec3> turned = vertex_normals(moved, mesh.triangles);
    BlendShape full;
    for (std::size_t v = 0; v < moved.size(); ++v) {
      const Vec3 turn = turned[v] - rest[v];
      if (moves[v] == Vec3{} && turn == Vec3{} && tangents[v] == Vec3{}) continue;
      full.vertices.push_back(static_cast<Index>(v));
      full.positions.push_back(moves[v]);
      full.normals.push_back(turn);
      if (!shape.tangents.empty()) full.tangents.push_back(tangents[v]);
    }
    if (full.vertices.empty()) full = shape;
    shapes.push_back(std::move(full));
  }
  return shapes;
}

void pack_shapes(PackedRig& packed, const Mesh& mesh) {
  packed.shape_count = mesh.shapes.size();
  if (mesh.shapes.empty()) return;
  const std::vector<BlendShape> shapes = shapes_with_normals(mesh);
  const auto any = [&](auto member) {
    return std::any_of(shapes.begin(), shapes.end(),
                       [&](const BlendShape& shape) { return !(shape.*member).empty(); });
  };
  const bool with_normals = any(&BlendShape::normals);
  const bool with_tangents = any(&BlendShape::tangents) && !mesh.tangents.empty();
  packed.first_shape.push_back(0);
  for (std::size_t tile = 0; tile < packed.tile_count; ++tile) {
    const auto lanes = std::span(packed.order).subspan(tile * tile_size, tile_size);
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const BlendShape& shape = shapes[k];
      const std::size_t block = packed.shapes.size();
      bool added = false;
      for (std::size_t lane = 0; lane < tile_size; ++lane) {
        std::size_t at = lanes[lane];
        if (!shape.vertices.empty()) {
          const auto found =
              std::lower_bound(shape.vertices.begin(), shape.vertices.end(), lanes[lane]);
          if (found == shape.vertices.end() || *found != lanes[lane]) continue;
          at = static_cast<std::size_t>(found - shape.vertices.begin());
        }
        if (!added) {
          added = true;
          packed.shapes.push_back(static_cast<std::uint32_t>(k));
          const std::size_t size = packed.shapes.size() * 3 * tile_size;
          packed.shape_positions.resize(size, 0.0f);
          if (with_normals) packed.shape_normals.resize(size, 0.0f);
          if (with_tangents) packed.shape_tangents.resize(size, 0.0f);
        }
        const auto put = [&](const std::vector<Vec3>& deltas, AlignedFloats& to) {
          if (to.empty() || at >= deltas.size()) return;
          for (std::size_t axis = 0; axis < 3; ++axis) {
            to[(block * 3 + axis) * tile_size + lane] = static_cast<float>(deltas[at][axis]);
          }
        };
        put(shape.positions, packed.shape_positions);
        put(shape.normals, packed.shape_normals);
        put(shape.tangents, packed.shape_tangents);
      }
    }
    packed.first_shape.push_back(static_cast<std::uint32_t>(packed.shapes.size()));
  }
}

}  // namespace sinew::kernels
