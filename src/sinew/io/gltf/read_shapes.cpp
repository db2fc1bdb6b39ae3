// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/directions.h"
#include "sinew/io/gltf/primitive.h"
#include "sinew/io/gltf/read.h"

namespace sinew::gltf {
namespace {

using PartSource = Layout::PartSource;

// The deltas of one attribute of one target.
struct Deltas {
  std::vector<std::uint32_t> vertices;  // ascending; unused where is_dense
  std::vector<double> values;
  bool is_dense = false;
};

Deltas read_deltas(Reading& reading, const JsonRef& ref, const PartSource& source) {
  const int accessor = ref.index(reading.accessors.size(), "accessors");
  const AccessorInfo info = reading.accessors.info(accessor);
  // Tangents of targets have no fourth component.
  if (info.columns != 1 || info.components() != 3) ref.fail("names an accessor that is no VEC3");
  if (info.count != source.vertex_count) {
    ref.fail(fmt::format("accessor {} has {} elements, but POSITION {}", accessor, info.count,
                         source.vertex_count));
  }
  Deltas deltas;
  deltas.is_dense = info.has_view || !info.is_sparse;
  if (deltas.is_dense) {
    deltas.values = reading.accessors.doubles(accessor);
  } else {
    SparseElements sparse = reading.accessors.sparse_elements(accessor);
    deltas.vertices = std::move(sparse.indices);
    deltas.values = std::move(sparse.values);
  }
  return deltas;
}

// Adds the deltas at the place of each of `vertices`, which has all of the deltas' own.
void add_deltas(const std::optional<Deltas>& deltas, const std::vector<std::uint32_t>& vertices,
                const Mat3& map, bool map_is_identity, std::vector<Vec3>& out) {
  const std::size_t first = out.size();
  out.resize(first + vertices.size());
  if (!deltas) return;
  std::size_t next = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (!deltas->is_dense) {
      if (next == deltas->vertices.size() || deltas->vertices[next] != vertices[i]) continue;
    }
    const Vec3 delta = vec3_at(deltas->values, deltas->is_dense ? vertices[i] : next);
    out[first + i] = map_is_identity ? delta : map * delta;
    ++next;
  }
}

class ShapeReader {
 public:
  ShapeReader(Reading& reading, std::size_t first_part)
      : reading_(reading), first_part_(first_part), lead_(reading.layout.parts[first_part]) {}

  void read() {
    const JsonRef mesh = list_item(reading_.document, "meshes", lead_.mesh);
    const std::vector<double> weights = default_weights(mesh);
    const std::vector<std::string> names = target_names(mesh);
    for (int k = 0; k < lead_.shape_count; ++k) {
      const std::size_t target = k;
      BlendShape shape = read_shape(mesh, target);
      if (target < names.size()) shape.name = names[target];
      if (target < weights.size()) shape.default_weight = weights[target];
      reading_.accessors.charge(shape.name.size(), mesh.place());
      reading_.rig.mesh.shapes.push_back(std::move(shape));
    }
  }

 private:
  std::vector<double> default_weights(const JsonRef& mesh) const {
    auto ref = list_item(reading_.document, "nodes", lead_.node).find("weights");
    if (!ref) ref = mesh.find("weights");
    if (!ref) return {};
    return ref->numbers(static_cast<std::size_t>(lead_.shape_count));
  }

  // A convention, not part of the standard: what does not fit it is not an error.
  std::vector<std::string> target_names(const JsonRef& mesh) const {
    std::vector<std::string> names;
    const auto extras = mesh.find("extras");
    if (!extras || !extras->value().is_object()) return names;
    const auto list = extras->find("targetNames");
    if (!list || !list->value().is_array()) return names;
    for (const auto& name : list->value()) {
      names.push_back(name.is_string() ? name.get<std::string>() : std::string());
    }
    return names;
  }

  BlendShape read_shape(const JsonRef& mesh, std::size_t target) {
    BlendShape shape;
    bool has_normals = false;
    bool has_tangents = false;
    const auto& parts = reading_.layout.parts;
    for (std::size_t p = first_part_; p < parts.size() && parts[p].node == lead_.node; ++p) {
      if (parts[p].shares_vertices) continue;
      const JsonRef attributes = mesh.at("primitives")
                                     .at(static_cast<std::size_t>(parts[p].primitive))
                                     .at("targets")
                                     .at(target);
      const auto deltas = [&](const char* name) -> std::optional<Deltas> {
        const auto ref = attributes.find(name);
        if (!ref) return std::nullopt;
        return read_deltas(reading_, *ref, parts[p]);
      };
      const auto positions = deltas("POSITION");
      const auto normals = deltas("NORMAL");
      const auto tangents = deltas("TANGENT");
      has_normals = has_normals || normals;
      has_tangents = has_tangents || tangents;
      const std::vector<std::uint32_t> vertices =
          union_of({&positions, &normals, &tangents}, parts[p].vertex_count);
      reading_.accessors.charge(vertices.size() * (3 * sizeof(Vec3) + sizeof(Index)),
                                attributes.place());
      const Affine& to_rig = parts[p].to_rig;
      const DirectionMaps maps = direction_maps(to_rig);
      add_deltas(positions, vertices, to_rig.linear, maps.is_identity, shape.positions);
      add_deltas(normals, vertices, maps.normal, maps.is_identity, shape.normals);
      add_deltas(tangents, vertices, maps.tangent, maps.is_identity, shape.tangents);
      for (const std::uint32_t v : vertices) shape.vertices.push_back(parts[p].first_vertex + v);
    }
    if (shape.vertices.empty()) {
      // A shape that moves nothing: no list at all would mean every vertex.
      shape.vertices = {lead_.first_vertex};
      shape.positions = {Vec3{}};
      shape.normals.resize(1);
      shape.tangents.resize(1);
    }
    if (shape.vertices.size() == reading_.rig.mesh.vertex_count()) shape.vertices.clear();
    if (!has_normals) shape.normals.clear();
    if (!has_tangents) shape.tangents.clear();
    return shape;
  }

  static std::vector<std::uint32_t> union_of(const std::vector<const std::optional<Deltas>*>& all,
                                             std::size_t vertex_count) {
    std::vector<std::uint32_t> vertices;
    for (const std::optional<Deltas>* deltas : all) {
      if (!*deltas) continue;
      if ((*deltas)->is_dense) {
        vertices.resize(vertex_count);
        std::iota(vertices.begin(), vertices.end(), 0U);
        return vertices;
      }
      std::vector<std::uint32_t> merged;
      std::set_union(vertices.begin(), vertices.end(), (*deltas)->vertices.begin(),
                     (*deltas)->vertices.end(), std::back_inserter(merged));
      vertices = std::move(merged);
    }
    return vertices;
  }

  Reading& reading_;
  std::size_t first_part_;
  const PartSource& lead_;
};

}  // namespace

void read_shapes(Reading& reading) {
  const auto& parts = reading.layout.parts;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (p == 0 || parts[p].node != parts[p - 1].node) ShapeReader(reading, p).read();
  }
}

}  // namespace sinew::gltf
