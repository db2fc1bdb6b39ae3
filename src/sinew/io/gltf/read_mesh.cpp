// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/directions.h"
#include "sinew/io/gltf/primitive.h"
#include "sinew/io/gltf/read.h"

namespace sinew::gltf {
namespace {

using PartSource = Layout::PartSource;

// Where parts lack an attribute that others have, these stand in; lacking normals are computed.
constexpr Vec4 default_tangent{1, 0, 0, 1};
constexpr Vec4 default_color{1, 1, 1, 1};

using VertexSpan = std::pair<std::size_t, std::size_t>;  // first and one past the last

void read_positions(Mesh& mesh, Primitive& primitive, const PartSource& source) {
  mesh.positions.reserve(mesh.positions.size() + source.vertex_count);
  primitive.each_vertex("POSITION", 3, [&](std::size_t v, const double* p) {
    mesh.positions.push_back(transform_point(source.to_rig, Vec3{p[0], p[1], p[2]}));
    if (!is_finite(mesh.positions.back())) {
      throw InputError(primitive.place("POSITION"),
                       fmt::format("vertex {} is too far away to be represented", v));
    }
  });
}

void read_normals(Mesh& mesh, Primitive& primitive, const PartSource& source) {
  const DirectionMaps maps = direction_maps(source.to_rig);
  mesh.normals.values.reserve(std::size_t{source.first_vertex} + source.vertex_count);
  mesh.normals.values.resize(source.first_vertex);
  primitive.each_vertex("NORMAL", 3, [&](std::size_t, const double* n) {
    const Vec3 normal{n[0], n[1], n[2]};
    mesh.normals.values.push_back(maps.is_identity ? normal
                                                   : normalized(maps.normal * normal, normal));
  });
}

void read_tangents(Mesh& mesh, Primitive& primitive, const PartSource& source) {
  const DirectionMaps maps = direction_maps(source.to_rig);
  mesh.tangents.reserve(std::size_t{source.first_vertex} + source.vertex_count);
  mesh.tangents.resize(source.first_vertex, default_tangent);
  primitive.each_vertex("TANGENT", 4, [&](std::size_t, const double* values) {
    Vec3 t{values[0], values[1], values[2]};
    if (!maps.is_identity) t = normalized(maps.tangent * t, t);
    mesh.tangents.push_back({t.x, t.y, t.z, values[3] * (maps.is_mirrored ? -1 : 1)});
  });
}

void read_uvs(Mesh& mesh, Primitive& primitive, const PartSource& source) {
  mesh.uvs.values.reserve(std::size_t{source.first_vertex} + source.vertex_count);
  mesh.uvs.values.resize(source.first_vertex);
  primitive.each_vertex("TEXCOORD_0", 2, [&](std::size_t, const double* uv) {
    mesh.uvs.values.push_back({uv[0], 1 - uv[1]});
  });
}

void read_colors(Mesh& mesh, Primitive& primitive, const PartSource& source, std::size_t channels) {
  mesh.colors.reserve(std::size_t{source.first_vertex} + source.vertex_count);
  mesh.colors.resize(source.first_vertex, default_color);
  primitive.each_vertex("COLOR_0", channels, [&](std::size_t, const double* c) {
    mesh.colors.push_back({c[0], c[1], c[2], channels == 4 ? c[3] : 1});
  });
}

std::string part_name(const Document& document, const JsonRef& primitive,
                      const PartSource& source) {
  if (const auto extras = sinew_extras(primitive)) {
    if (const auto own = extras->find("name")) return own->string();
  }
  std::string name = name_of(list_item(document, "meshes", source.mesh));
  return name.empty() ? name_of(list_item(document, "nodes", source.node)) : name;
}

std::string material_name(const Document& document, const JsonRef& primitive) {
  const auto material = primitive.find("material");
  if (!material) return {};
  const int index = material->index(list_size(document, "materials"), "materials");
  return name_of(list_item(document, "materials", index));
}

void read_part(Reading& reading, Primitive& primitive, const PartSource& source) {
  Mesh& mesh = reading.rig.mesh;
  std::vector<Triangle> triangles = primitive.triangles();
  Part part;
  part.name = part_name(reading.document, primitive.json(), source);
  part.material = material_name(reading.document, primitive.json());
  part.first_vertex = source.first_vertex;
  part.vertex_count = source.vertex_count;
  part.first_triangle = static_cast<Index>(mesh.triangles.size());
  part.triangle_count = static_cast<Index>(triangles.size());
  reading.accessors.charge(part.name.size() + part.material.size(), primitive.json().place());
  const bool is_mirrored = direction_maps(source.to_rig).is_mirrored;
  for (Triangle& t : triangles) {
    for (Index& corner : t) corner += source.first_vertex;
    if (is_mirrored) std::swap(t[1], t[2]);
  }
  if (mesh.triangles.empty()) {
    mesh.triangles = std::move(triangles);
  } else {
    mesh.triangles.insert(mesh.triangles.end(), triangles.begin(), triangles.end());
  }
  mesh.parts.push_back(std::move(part));
}

void complete_layers(Rig& rig, const std::vector<VertexSpan>& without_normals) {
  Mesh& mesh = rig.mesh;
  const std::size_t count = mesh.vertex_count();
  if (!mesh.tangents.empty()) mesh.tangents.resize(count, default_tangent);
  if (!mesh.colors.empty()) mesh.colors.resize(count, default_color);
  if (!mesh.uvs.empty()) mesh.uvs.values.resize(count);
  if (mesh.normals.empty() || without_normals.empty()) return;
  const std::vector<Vec3> computed = vertex_normals(mesh.positions, mesh.triangles);
  mesh.normals.values.resize(count);
  for (const auto& [first, last] : without_normals) {
    std::copy(computed.begin() + static_cast<std::ptrdiff_t>(first),
              computed.begin() + static_cast<std::ptrdiff_t>(last),
              mesh.normals.values.begin() + static_cast<std::ptrdiff_t>(first));
  }
  rig.notes.push_back(
      "some parts of the mesh have normals and some have none: those were computed");
}

void note_left_out(Reading& reading) {
  for (std::size_t m = 0; m < list_size(reading.document, "meshes"); ++m) {
    const JsonRef primitives =
        list_item(reading.document, "meshes", static_cast<int>(m)).at("primitives");
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const Primitive primitive(primitives.at(p), reading.accessors);
      const char* reason = !primitive.has_triangles()   ? "points or lines"
                           : !primitive.has_positions() ? "without positions"
                                                        : nullptr;
      if (reason == nullptr) continue;
      reading.rig.notes.push_back(
          fmt::format("{}: {}, left out", primitives.at(p).place(), reason));
    }
  }
}

}  // namespace

void read_mesh(Reading& reading) {
  Mesh& mesh = reading.rig.mesh;
  std::vector<VertexSpan> without_normals;
  for (const PartSource& source : reading.layout.parts) {
    Primitive primitive(list_item(reading.document, "meshes", source.mesh)
                            .at("primitives")
                            .at(static_cast<std::size_t>(source.primitive)),
                        reading.accessors);
    if (!source.shares_vertices) {
      read_positions(mesh, primitive, source);
      if (primitive.accessor("NORMAL")) {
        read_normals(mesh, primitive, source);
      } else {
        without_normals.emplace_back(source.first_vertex, mesh.positions.size());
      }
      if (primitive.accessor("TANGENT")) read_tangents(mesh, primitive, source);
      if (primitive.accessor("TEXCOORD_0")) read_uvs(mesh, primitive, source);
      if (const auto color = primitive.accessor("COLOR_0")) {
        const std::size_t channels = reading.accessors.info(*color).components();
        read_colors(mesh, primitive, source, channels == 3 ? 3 : 4);
      }
    }
    read_part(reading, primitive, source);
  }
  complete_layers(reading.rig, without_normals);
  note_left_out(reading);
}

}  // namespace sinew::gltf
