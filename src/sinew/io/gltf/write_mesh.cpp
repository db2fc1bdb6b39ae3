// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/write_mesh.h"

#include <algorithm>
#include <cmath>

#include "sinew/io/gltf/append.h"
#include "sinew/io/gltf/directions.h"

namespace sinew::gltf {
namespace {

template <class T>
std::span<const T> part_of(const std::vector<T>& values, const VertexRange& range) {
  if (values.empty()) return {};
  return std::span(values).subspan(range.first, range.count);
}

// Lengths within single-precision rounding of 1 are not touched, so that data read from a file is
// written back unchanged.
Vec3 made_unit(const Vec3& v) {
  return std::fabs(length(v) - 1) <= 1e-4 ? v : normalized(v, Vec3{0, 0, 1});
}

int add_vec3(Document& document, std::span<const Vec3> values) {
  std::vector<float> floats;
  floats.reserve(values.size() * 3);
  for (const Vec3& v : values) append(floats, v);
  return add_accessor(document, floats, "VEC3", {.target = Target::vertices, .bounds = true});
}

int add_positions(Document& document, std::span<const Vec3> values, const Affine& map) {
  std::vector<Vec3> mapped(values.begin(), values.end());
  if (map != Affine{}) {
    for (Vec3& v : mapped) v = transform_point(map, v);
  }
  return add_vec3(document, mapped);
}

int add_normals(Document& document, std::span<const Vec3> values, const Affine& map) {
  const DirectionMaps maps = direction_maps(map);
  std::vector<float> floats;
  floats.reserve(values.size() * 3);
  for (const Vec3& v : values) append(floats, made_unit(maps.is_identity ? v : maps.normal * v));
  return add_accessor(document, floats, "VEC3", {.target = Target::vertices});
}

int add_tangents(Document& document, std::span<const Vec4> values, const Affine& map) {
  const DirectionMaps maps = direction_maps(map);
  std::vector<float> floats;
  floats.reserve(values.size() * 4);
  for (const Vec4& v : values) {
    const Vec3 along{v.x, v.y, v.z};
    append(floats, made_unit(maps.is_identity ? along : maps.tangent * along));
    floats.push_back((v.w < 0) != maps.is_mirrored ? -1.0f : 1.0f);
  }
  return add_accessor(document, floats, "VEC4", {.target = Target::vertices});
}

int add_uvs(Document& document, std::span<const Vec2> values, const Affine&) {
  std::vector<float> floats;
  floats.reserve(values.size() * 2);
  for (const Vec2& v : values) {
    floats.push_back(to_float(v.x));
    floats.push_back(to_float(1 - v.y));
  }
  return add_accessor(document, floats, "VEC2", {.target = Target::vertices});
}

int add_colors(Document& document, std::span<const Vec4> values, const Affine&) {
  std::vector<float> floats;
  floats.reserve(values.size() * 4);
  for (const Vec4& v : values) {
    for (std::size_t i = 0; i < 4; ++i) floats.push_back(to_float(std::clamp(v[i], 0.0, 1.0)));
  }
  return add_accessor(document, floats, "VEC4", {.target = Target::vertices});
}

// The deltas of the shape's vertices from place `low` to place `high` of its list.
int add_deltas(Document& document, const BlendShape& shape, const std::vector<Vec3>& deltas,
               const Mat3& map, const VertexRange& range, std::size_t low, std::size_t high) {
  if (shape.vertices.empty()) {
    return add_positions(document, part_of(deltas, range), {map, Vec3{}});
  }
  if ((high - low) * 2 > range.count) {
    std::vector<Vec3> dense(range.count);
    for (std::size_t i = low; i < high; ++i)
      dense[shape.vertices[i] - range.first] = map * deltas[i];
    return add_vec3(document, dense);
  }
  std::vector<std::uint32_t> places;
  std::vector<float> values;
  for (std::size_t i = low; i < high; ++i) {
    places.push_back(shape.vertices[i] - range.first);
    append(values, map * deltas[i]);
  }
  return add_sparse_accessor(document, range.count, places, values);
}

}  // namespace

void set_attributes(Document& document, Json& attributes, const Mesh& mesh,
                    const VertexRange& range, const MeshChanges& which) {
  const auto set = [&](const char* name, bool chosen, const auto& values, const auto& add) {
    if (!chosen) return;
    if (values.empty()) {
      attributes.erase(name);
    } else {
      attributes[name] = add(document, part_of(values, range), range.to_primitive);
    }
  };
  set("POSITION", which.positions, mesh.positions, add_positions);
  set("NORMAL", which.normals, mesh.normals.values, add_normals);
  set("TEXCOORD_0", which.uvs, mesh.uvs.values, add_uvs);
  set("TANGENT", which.tangents, mesh.tangents, add_tangents);
  set("COLOR_0", which.colors, mesh.colors, add_colors);
  if (!attributes.contains("NORMAL")) attributes.erase("TANGENT");
}

Json write_targets(Document& document, const Json& attributes, const Mesh& mesh,
                   const VertexRange& range, int first_shape, int shape_count) {
  const DirectionMaps maps = direction_maps(range.to_primitive);
  Json targets = Json::array();
  for (int s = first_shape; s < first_shape + shape_count; ++s) {
    const BlendShape& shape = mesh.shapes[s];
    const auto begin = shape.vertices.begin(), end = shape.vertices.end();
    const auto low = std::lower_bound(begin, end, range.first) - begin;
    const auto high = std::lower_bound(begin, end, range.first + range.count) - begin;
    const auto deltas = [&](const std::vector<Vec3>& values, const Mat3& map) {
      return add_deltas(document, shape, values, map, range, static_cast<std::size_t>(low),
                        static_cast<std::size_t>(high));
    };
    Json target = {{"POSITION", deltas(shape.positions, range.to_primitive.linear)}};
    if (!shape.normals.empty() && attributes.contains("NORMAL")) {
      target["NORMAL"] = deltas(shape.normals, maps.normal);
    }
    if (!shape.tangents.empty() && attributes.contains("TANGENT")) {
      target["TANGENT"] = deltas(shape.tangents, maps.tangent);
    }
    targets.push_back(std::move(target));
  }
  return targets;
}

void set_target_names(Json& gltf_mesh, const Mesh& mesh, int first_shape, int shape_count) {
  Json weights = Json::array(), names = Json::array();
  bool weighted = false, named = false;
  for (int s = first_shape; s < first_shape + shape_count; ++s) {
    const BlendShape& shape = mesh.shapes[s];
    weights.push_back(shape.default_weight);
    names.push_back(shape.name);
    weighted = weighted || shape.default_weight != 0;
    named = named || !shape.name.empty();
  }
  if (weighted) gltf_mesh["weights"] = std::move(weights);
  if (named) gltf_mesh["extras"]["targetNames"] = std::move(names);
}

int write_indices(Document& document, const Mesh& mesh, const VertexRange& range,
                  Index first_triangle, Index triangle_count) {
  const bool turned = direction_maps(range.to_primitive).is_mirrored;
  std::vector<std::uint32_t> indices;
  indices.reserve(std::size_t{triangle_count} * 3);
  for (const Triangle& triangle :
       std::span(mesh.triangles).subspan(first_triangle, triangle_count)) {
    for (const std::size_t corner : {0U, turned ? 2U : 1U, turned ? 1U : 2U}) {
      indices.push_back(triangle[corner] - range.first);
    }
  }
  return add_indices(document, indices);
}

}  // namespace sinew::gltf
