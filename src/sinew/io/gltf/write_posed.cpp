// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/append.h"
#include "sinew/io/gltf/extras.h"
#include "sinew/io/gltf/layout.h"
#include "sinew/io/gltf/mesh_edits.h"
#include "sinew/io/gltf/pack_weights.h"
#include "sinew/io/gltf/replaced.h"
#include "sinew/io/gltf/skin_settings.h"
#include "sinew/io/gltf/write.h"
#include "sinew/io/gltf/write_clip.h"
#include "sinew/io/gltf/write_mesh.h"

namespace sinew::gltf {
namespace {

using PartSource = Layout::PartSource;

void check_fits(const Layout& layout, const Mesh& mesh) {
  std::size_t vertices = 0;
  for (const PartSource& part : layout.parts) {
    vertices = std::max(vertices, std::size_t{part.first_vertex} + part.vertex_count);
  }
  if (vertices != mesh.vertex_count() || layout.parts.size() != mesh.parts.size()) {
    throw UsageError(
        fmt::format("the shape has {} vertices in {} parts, but the file it was read "
                    "from {} in {}: write it as a new file (a model without a source)",
                    mesh.vertex_count(), mesh.parts.size(), vertices, layout.parts.size()));
  }
  if (!mesh.normals.per_vertex()) {
    throw UsageError("a shape with normals per corner cannot be written over a glTF file");
  }
}

// Puts the parts of one node into the place of those of the source.
class NodePose {
 public:
  NodePose(const Document& source, const Layout& layout, Document& document, const Mesh& mesh)
      : source_(source),
        layout_(layout),
        document_(document),
        mesh_(mesh),
        accessors_(source),
        users_(source.json) {
    for (const PartSource& part : layout.parts) {
      files_have_normals_ |=
          primitive_of(source.json, part.mesh, part)["attributes"].contains("NORMAL");
    }
  }

  void run(std::size_t first, std::size_t last) {
    const PartSource& lead = layout_.parts[first];
    const std::size_t node = lead.node;
    Json& json = document_.json;
    const int mesh = static_cast<int>(users_.own_mesh(json, node));
    Json& own = json["meshes"][mesh];
    own.erase("weights");
    if (own.contains("extras") && own["extras"].is_object()) own["extras"].erase("targetNames");
    json["nodes"][node].erase("weights");
    json["nodes"][node].erase("skin");
    groups_.push_back({place(lead), 0, shape_count()});
    for (std::size_t p = first; p < last; ++p) {
      const PartSource& part = layout_.parts[p];
      Json& primitive = primitive_of(json, mesh, part);
      decompress(document_, primitive,
                 list_item(source_, "meshes", part.mesh)
                     .at("primitives")
                     .at(static_cast<std::size_t>(part.primitive)),
                 accessors_);
      const VertexRange range{part.first_vertex, part.vertex_count, to_primitive_};
      set_vertices(primitive, range, part.shares_vertices ? leader_of(first, p, mesh) : nullptr);
      if (is_mirrored_) {
        const Part& triangles = mesh_.parts[p];
        primitive["indices"] = write_indices(document_, mesh_, range, triangles.first_triangle,
                                             triangles.triangle_count);
        primitive.erase("mode");
      }
    }
    std::vector<bool> is_part(own["primitives"].size(), false);
    for (std::size_t p = first; p < last; ++p) {
      is_part[layout_.parts[p].primitive] = true;
    }
    for (std::size_t i = 0; i < is_part.size(); ++i) {
      Json& primitive = own["primitives"][i];
      set_weights(document_, primitive["attributes"], {}, GltfOptions::WeightFormat::float32);
      set_blend_shares(document_, primitive["attributes"], {}, {});
      set_curve_weights(document_, primitive["attributes"], {}, {});
      if (!is_part[i]) set_still_targets(primitive);
    }
    set_target_names(own, mesh_, 0, shape_count());
  }

  // The nodes that have the shapes, each all of them.
  const std::vector<ShapeGroup>& groups() const { return groups_; }

 private:
  template <class AnyJson>
  static AnyJson& primitive_of(AnyJson& json, int mesh, const PartSource& part) {
    return json["meshes"][mesh]["primitives"][part.primitive];
  }

  // With a skin, the transform of the mesh's node is ignored; without one it applies. A node scaled
  // to 0 cannot hold the shape, so another node holds it. Returns the node that holds the shape.
  int place(const PartSource& lead) {
    const std::size_t node = lead.node;
    const Affine& global = layout_.scene.global[node];
    to_primitive_ = is_singular(global) ? Affine{} : inverse(global);
    is_mirrored_ = lead.skin >= 0 && determinant(to_primitive_.linear) < 0;
    if (!is_singular(global)) return lead.node;
    Json& old = document_.json["nodes"][node];
    Json moved = {{"mesh", old["mesh"]}};
    if (old.contains("name")) moved["name"] = old["name"];
    old.erase("mesh");
    return add_node(document_, std::move(moved), -1);
  }

  int shape_count() const { return static_cast<int>(mesh_.shapes.size()); }

  // All primitives of a mesh have as many targets; those of points and lines do nothing.
  void set_still_targets(Json& primitive) {
    primitive.erase("targets");
    const auto position = primitive["attributes"].find("POSITION");
    if (shape_count() == 0 || position == primitive["attributes"].end()) return;
    Json& accessors = document_.json["accessors"];
    const Json count = accessors[position->get<std::size_t>()]["count"];
    const Json zero = {0, 0, 0};
    const Json target = {{"POSITION", accessors.size()}};
    accessors.push_back({{"componentType", 5126},
                         {"type", "VEC3"},
                         {"count", count},
                         {"min", zero},
                         {"max", zero}});
    primitive["targets"] = std::vector<Json>(mesh_.shapes.size(), target);
  }

  // The earlier part whose vertices part p shares.
  const Json* leader_of(std::size_t first, std::size_t p, int mesh) {
    std::size_t leader = first;
    while (layout_.parts[leader].first_vertex != layout_.parts[p].first_vertex) ++leader;
    return &primitive_of(document_.json, mesh, layout_.parts[leader]);
  }

  void set_vertices(Json& primitive, const VertexRange& range, const Json* shared) {
    Json& attributes = primitive["attributes"];
    primitive.erase("targets");
    if (shared != nullptr) {
      attributes = shared->at("attributes");
      if (shared->contains("targets")) primitive["targets"] = shared->at("targets");
      return;
    }
    // A part without normals among others with them is meant to be faceted.
    const bool normals = attributes.contains("NORMAL") || !files_have_normals_;
    set_attributes(
        document_, attributes, mesh_, range,
        {.positions = true, .normals = normals, .tangents = attributes.contains("TANGENT")});
    if (shape_count() > 0) {
      primitive["targets"] = write_targets(document_, attributes, mesh_, range, 0, shape_count());
    }
  }

  const Document& source_;
  const Layout& layout_;
  Document& document_;
  const Mesh& mesh_;
  Accessors accessors_;
  MeshUsers users_;
  bool files_have_normals_ = false;
  Affine to_primitive_;
  bool is_mirrored_ = false;
  std::vector<ShapeGroup> groups_;
};

}  // namespace

Document posed_document(const Document& source, const Rig& rig) {
  const Layout layout = layout_of(source);
  check_fits(layout, rig.mesh);
  Document document = copy_with_room(source);
  NodePose pose(source, layout, document, rig.mesh);
  for (std::size_t first = 0; first < layout.parts.size();) {
    std::size_t last = first + 1;
    while (last < layout.parts.size() && layout.parts[last].node == layout.parts[first].node) {
      ++last;
    }
    pose.run(first, last);
    first = last;
  }
  forget_unused_draco(document.json);
  document.json.erase("skins");
  document.json.erase("animations");
  for (const char* key : {"controls", "drivers", "poseSpaces", "limits", "offsetCurves"}) {
    set_extra(document.json, key, {});
  }
  const std::vector<double> defaults(rig.mesh.shapes.size(), 0.0);
  for (const Clip& clip : rig.clips) {
    Json animation = write_clip(document, clip, {{}, pose.groups(), defaults});
    array_in(document.json, "animations").push_back(std::move(animation));
  }
  remove_replaced(document, source);
  return document;
}

}  // namespace sinew::gltf
