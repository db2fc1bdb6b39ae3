// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/mesh.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/math.h"
#include "sinew/core/parallel.h"
#include "sinew/mesh/polygons.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

bool is_finite(const Vec2& a) { return std::isfinite(a.x) && std::isfinite(a.y); }
bool is_finite(const Vec4& a) { return is_finite(Vec3{a.x, a.y, a.z}) && std::isfinite(a.w); }

// 0 if the value is finite, otherwise NaN: sums of it need no branches.
double is_not_finite(const Vec2& a) { return a.x * 0 + a.y * 0; }
double is_not_finite(const Vec3& a) { return a.x * 0 + a.y * 0 + a.z * 0; }
double is_not_finite(const Vec4& a) { return (a.x * 0 + a.y * 0) + (a.z * 0 + a.w * 0); }

template <class T>
bool all_finite(const std::vector<T>& values) {
  double even = 0, odd = 0;
  std::size_t i = 0;
  for (; i + 1 < values.size(); i += 2) {
    even += is_not_finite(values[i]);
    odd += is_not_finite(values[i + 1]);
  }
  if (i < values.size()) even += is_not_finite(values[i]);
  return even + odd == 0;
}

template <class T>
void check_values(const std::vector<T>& values, std::string_view thing, std::string_view what) {
  if (all_finite(values)) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_finite(values[i])) {
      throw InputError(formatted("{} {}", thing, i), formatted("{} is not finite", what));
    }
  }
}

template <class T>
void check_vertex_array(const Mesh& mesh, const std::vector<T>& values, std::string_view name,
                        std::string_view what) {
  if (!values.empty() && values.size() != mesh.vertex_count()) {
    throw InputError(std::string(name), formatted("{} values for {} vertices; give one each",
                                                  values.size(), mesh.vertex_count()));
  }
  check_values(values, "vertex", what);
}

template <class T>
void check_layer(const Mesh& mesh, const Layer<T>& layer, std::string_view name,
                 std::string_view what) {
  if (layer.per_vertex()) return check_vertex_array(mesh, layer.values, name, what);
  const std::size_t corners = first_corner(mesh, face_count(mesh));
  if (layer.corners.size() != corners) {
    throw InputError(std::string(name), formatted("{} indices for {} face corners; give one each",
                                                  layer.corners.size(), corners));
  }
  for (std::size_t c = 0; c < corners; ++c) {
    if (layer.corners[c] >= layer.values.size()) {
      throw InputError(formatted("{}, corner {}", name, c),
                       formatted("index {} is out of range: there are {} values", layer.corners[c],
                                 layer.values.size()));
    }
  }
  check_values(layer.values, formatted("{}, value", name), what);
}

void check_indices(const Mesh& mesh, std::span<const Index> corners, std::string_view thing,
                   std::size_t number) {
  for (const Index v : corners) {
    if (v < mesh.vertex_count()) continue;
    throw InputError(
        formatted("{} {}", thing, number),
        formatted("vertex {} is out of range: there are {} vertices", v, mesh.vertex_count()));
  }
}

void check_polygons(const Mesh& mesh) {
  const Polygons& polygons = mesh.polygons;
  if (polygons.empty()) {
    if (!polygons.indices.empty()) throw InputError("polygons", "there are indices but no offsets");
    return;
  }
  if (polygons.offsets.front() != 0 || polygons.offsets.back() != polygons.indices.size()) {
    throw InputError("polygons",
                     "the offsets must begin with 0 and end with the number of indices");
  }
  std::size_t triangles = 0;
  for (std::size_t f = 0; f < polygons.size(); ++f) {
    const std::size_t begin = polygons.offsets[f], end = polygons.offsets[f + 1];
    if (end < begin + 3 || end > polygons.indices.size()) {
      throw InputError(formatted("polygon {}", f), "it has fewer than three corners");
    }
    check_indices(mesh, face_corners(mesh, f), "polygon", f);
    triangles += end - begin - 2;
  }
  if (triangles != mesh.triangles.size()) {
    throw InputError("triangles", formatted("there are {}, but cutting the polygons gives {}",
                                            mesh.triangles.size(), triangles));
  }
}

void check_part(const Mesh& mesh, std::size_t number) {
  const Part& part = mesh.parts[number];
  const auto fits = [](Index first, Index count, std::size_t size) {
    return first <= size && count <= size - first;
  };
  if (!fits(part.first_vertex, part.vertex_count, mesh.vertex_count()) ||
      !fits(part.first_triangle, part.triangle_count, mesh.triangles.size()) ||
      !fits(part.first_polygon, part.polygon_count, mesh.polygons.size())) {
    throw InputError(formatted("part {}", number), "its range is not within the mesh");
  }
  for (std::size_t t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t) {
    for (const Index v : mesh.triangles[t]) {
      if (v - part.first_vertex >= part.vertex_count) {
        throw InputError(formatted("part {}", number),
                         formatted("triangle {} uses vertex {} outside of the part's range", t, v));
      }
    }
  }
}

void check_shape(const Mesh& mesh, std::size_t number) {
  const BlendShape& shape = mesh.shapes[number];
  const std::string place = formatted("shape {}", number);
  const std::size_t count = shape.vertices.empty() ? shape.positions.size() : shape.vertices.size();
  if (shape.vertices.empty() && count != 0 && count != mesh.vertex_count()) {
    throw InputError(place, formatted("{} deltas for {} vertices; give one each, or say which",
                                      count, mesh.vertex_count()));
  }
  if (shape.positions.size() != count ||
      (!shape.normals.empty() && shape.normals.size() != count) ||
      (!shape.tangents.empty() && shape.tangents.size() != count)) {
    throw InputError(place, "its arrays have different lengths");
  }
  for (std::size_t i = 0; i < shape.vertices.size(); ++i) {
    if (shape.vertices[i] >= mesh.vertex_count() ||
        (i > 0 && shape.vertices[i] <= shape.vertices[i - 1])) {
      throw InputError(place, formatted("its vertex list is not ascending or out of range at {}",
                                        shape.vertices[i]));
    }
  }
  for (const auto* values : {&shape.positions, &shape.normals, &shape.tangents}) {
    check_values(*values, place + ", delta", "it");
  }
  if (!std::isfinite(shape.default_weight)) throw InputError(place, "its weight is not finite");
}

}  // namespace

Box bounding_box(const std::vector<Vec3>& positions) {
  if (positions.empty()) return {};
  Box box{positions[0], positions[0]};
  for (const Vec3& p : positions) {
    box.low = component_min(box.low, p);
    box.high = component_max(box.high, p);
  }
  return box;
}

std::vector<Vec3> vertex_normals(const std::vector<Vec3>& positions,
                                 const std::vector<Triangle>& triangles) {
  require_indices(positions.size(), triangles);
  std::vector<Vec3> sums(positions.size());
  // What each corner adds is found on several threads, and added in order.
  constexpr std::size_t some = 65536, block = 1024;
  std::vector<std::array<Vec3, 3>> parts(std::min(some, triangles.size()));
  for (std::size_t first = 0; first < triangles.size(); first += some) {
    const std::size_t count = std::min(some, triangles.size() - first);
    parallel_for(count, block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const Triangle& t = triangles[first + k];
        for (std::size_t i = 0; i < 3; ++i) {
          const Vec3& corner = positions[t[i]];
          const Vec3 to_next = normalized(positions[t[(i + 1) % 3]] - corner, {});
          const Vec3 to_last = normalized(positions[t[(i + 2) % 3]] - corner, {});
          const Vec3 normal = cross(to_next, to_last);
          const double angle = math::atan2(length(normal), dot(to_next, to_last));
          parts[k][i] = normalized(normal, {}) * angle;
        }
      }
    });
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t i = 0; i < 3; ++i) sums[triangles[first + k][i]] += parts[k][i];
    }
  }
  for (Vec3& n : sums) n = normalized(n, {0, 0, 1});
  return sums;
}

void validate(const Mesh& mesh) {
  check_values(mesh.positions, "vertex", "its position");
  Index largest = 0;
  for (const auto& [a, b, c] : mesh.triangles) largest = std::max({largest, a, b, c});
  for (std::size_t t = 0; largest >= mesh.vertex_count() && t < mesh.triangles.size(); ++t) {
    check_indices(mesh, mesh.triangles[t], "triangle", t);
  }
  check_polygons(mesh);
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    check_indices(mesh, mesh.tetrahedra[t], "tetrahedron", t);
  }
  check_layer(mesh, mesh.normals, "normals", "its normal");
  check_layer(mesh, mesh.uvs, "uvs", "its uv");
  check_vertex_array(mesh, mesh.tangents, "tangents", "its tangent");
  check_vertex_array(mesh, mesh.colors, "colors", "its color");
  for (std::size_t i = 0; i < mesh.parts.size(); ++i) check_part(mesh, i);
  for (std::size_t i = 0; i < mesh.shapes.size(); ++i) check_shape(mesh, i);
}

}  // namespace sinew
