// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/mesh_edits.h"

#include <algorithm>
#include <array>

#include "sinew/io/gltf/append.h"
#include "sinew/io/gltf/primitive.h"

namespace sinew::gltf {
namespace {

constexpr const char* draco_name = "KHR_draco_mesh_compression";

bool has_draco(const Json& primitive) {
  const auto extensions = primitive.find("extensions");
  return extensions != primitive.end() && extensions->contains(draco_name);
}

const char* vector_type(std::size_t components) {
  constexpr std::array names = {"SCALAR", "VEC2", "VEC3", "VEC4"};
  return names[components - 1];
}

}  // namespace

// Nodes outside the scene may have anything for a mesh.
MeshUsers::MeshUsers(const Json& json) : users_(json["meshes"].size(), 0) {
  for (const Json& node : json["nodes"]) {
    const auto mesh = node.find("mesh");
    if (mesh == node.end() || !mesh->is_number()) continue;
    const auto number = mesh->get<double>();
    if (number >= 0 && number < static_cast<double>(users_.size())) {
      ++users_[static_cast<std::size_t>(number)];
    }
  }
}

std::size_t MeshUsers::own_mesh(Json& json, std::size_t node) {
  const auto mesh = json["nodes"][node]["mesh"].get<std::size_t>();
  if (users_[mesh] < 2) return mesh;
  --users_[mesh];
  users_.push_back(1);
  Json copy = json["meshes"][mesh];
  json["meshes"].push_back(std::move(copy));
  const std::size_t number = json["meshes"].size() - 1;
  json["nodes"][node]["mesh"] = number;
  return number;
}

void decompress(Document& document, Json& primitive, const JsonRef& stored, Accessors& accessors) {
  if (!has_draco(primitive)) return;
  Primitive source(stored, accessors);
  const Json names = primitive["extensions"][draco_name]["attributes"];
  const AccessorOptions options{.target = Target::vertices};
  for (const auto& [name, id] : names.items()) {
    const std::size_t components = accessors.info(*source.accessor(name)).components();
    if (name.starts_with("JOINTS_")) {
      Decoded<std::uint32_t> numbers = source.integers(name, components);
      const auto wide = numbers.at(0, source.vertex_count(), components);
      const std::vector<std::uint16_t> joints(wide.begin(), wide.end());
      primitive["attributes"][name] = add_accessor(document, joints, "VEC4", options);
      continue;
    }
    std::vector<float> values;
    source.each_vertex(name, components, [&](std::size_t, const double* numbers) {
      append(values, std::span(numbers, components));
    });
    primitive["attributes"][name] =
        add_accessor(document, values, vector_type(components),
                     {.target = Target::vertices, .bounds = name == "POSITION"});
  }
  std::vector<std::uint32_t> corners;
  for (const Triangle& t : source.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  primitive["indices"] = add_indices(document, corners);
  primitive.erase("mode");
  primitive["extensions"].erase(draco_name);
  if (primitive["extensions"].empty()) primitive.erase("extensions");
}

void forget_unused_draco(Json& json) {
  const auto meshes = json.find("meshes");
  if (meshes != json.end()) {
    for (const Json& mesh : *meshes) {
      const Json& primitives = mesh["primitives"];
      if (std::any_of(primitives.begin(), primitives.end(), has_draco)) return;
    }
  }
  for (const char* list : {"extensionsUsed", "extensionsRequired"}) {
    const auto names = json.find(list);
    if (names == json.end()) continue;
    names->erase(std::remove(names->begin(), names->end(), draco_name), names->end());
    if (names->empty()) json.erase(list);
  }
}

}  // namespace sinew::gltf
