// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/grow_shapes.h"

#include <algorithm>

#include "sinew/io/gltf/mesh_edits.h"
#include "sinew/rig/internal/move_shapes.h"

namespace sinew::gltf {
namespace {

// All parts of a node.
struct NodeParts {
  int node = 0, first_shape = 0, shape_count = 0;
  std::vector<bool> holds;  // by vertex
  Index first_vertex = 0;
  std::vector<int> gains{};  // new shapes of the rig
};

std::vector<NodeParts> nodes_of(const Layout& layout, std::size_t vertex_count) {
  std::vector<NodeParts> nodes;
  for (const Layout::PartSource& part : layout.parts) {
    if (nodes.empty() || nodes.back().node != part.node) {
      nodes.push_back({part.node, part.first_shape, part.shape_count,
                       std::vector<bool>(vertex_count, false), part.first_vertex});
    }
    std::fill_n(nodes.back().holds.begin() + part.first_vertex, part.vertex_count, true);
  }
  return nodes;
}

// What the shape does to the node's vertices.
BlendShape cut(const BlendShape& shape, const NodeParts& node) {
  BlendShape piece;
  piece.name = shape.name;
  piece.default_weight = shape.default_weight;
  for (std::size_t i = 0; i < shape.positions.size(); ++i) {
    const Index v = shape.vertices.empty() ? static_cast<Index>(i) : shape.vertices[i];
    if (!node.holds[v]) continue;
    piece.vertices.push_back(v);
    piece.positions.push_back(shape.positions[i]);
    if (!shape.normals.empty()) piece.normals.push_back(shape.normals[i]);
    if (!shape.tangents.empty()) piece.tangents.push_back(shape.tangents[i]);
  }
  if (piece.vertices.size() == node.holds.size()) piece.vertices.clear();
  return piece;
}

BlendShape still(const NodeParts& node) {
  BlendShape shape;
  shape.vertices = {node.first_vertex};
  shape.positions = {Vec3{}};
  return shape;
}

// All primitives of a mesh have as many targets; those of points and lines do nothing.
Json still_target(Json& document, const Json& primitive) {
  const auto position = primitive["attributes"].find("POSITION");
  if (position == primitive["attributes"].end()) return Json::object();
  Json& accessors = document["accessors"];
  const Json count = accessors[position->get<std::size_t>()]["count"];
  const Json zero = {0, 0, 0};
  accessors.push_back(
      {{"componentType", 5126}, {"type", "VEC3"}, {"count", count}, {"min", zero}, {"max", zero}});
  return {{"POSITION", accessors.size() - 1}};
}

void add_targets(Document& document, const Layout& layout, const NodeParts& node,
                 MeshUsers& users) {
  Json& json = document.json;
  const std::size_t number = users.own_mesh(json, static_cast<std::size_t>(node.node));
  Json& mesh = json["meshes"][number];
  for (std::size_t p = 0; p < mesh["primitives"].size(); ++p) {
    Json& primitive = mesh["primitives"][p];
    const bool is_part =
        std::any_of(layout.parts.begin(), layout.parts.end(), [&](const Layout::PartSource& part) {
          return part.node == node.node && part.primitive == static_cast<int>(p);
        });
    const Json target = is_part ? Json::object() : still_target(json, primitive);
    if (!primitive.contains("targets")) primitive["targets"] = Json::array();
    for (std::size_t k = 0; k < node.gains.size(); ++k) primitive["targets"].push_back(target);
  }
  for (Json* owner : {&mesh, &json["nodes"][node.node]}) {
    if (!owner->contains("weights")) continue;
    for (std::size_t k = 0; k < node.gains.size(); ++k) (*owner)["weights"].push_back(0.0);
  }
}

}  // namespace

Grown grow_shapes(const Document& source, const Layout& layout, const Rig& before, const Rig& rig) {
  std::vector<NodeParts> nodes = nodes_of(layout, rig.mesh.vertex_count());
  const std::size_t had = before.mesh.shapes.size(), has = rig.mesh.shapes.size();
  for (std::size_t s = had; s < has; ++s) {
    bool is_placed = false;
    for (NodeParts& node : nodes) {
      if (cut(rig.mesh.shapes[s], node).positions.empty()) continue;
      node.gains.push_back(static_cast<int>(s));
      is_placed = true;
    }
    if (!is_placed && !nodes.empty()) nodes.front().gains.push_back(static_cast<int>(s));
  }
  Grown grown{source, {}, before, rig};
  grown.before.mesh.shapes.clear();
  grown.rig.mesh.shapes.clear();
  ShapePlaces places(has);
  MeshUsers users(source.json);
  for (const NodeParts& node : nodes) {
    for (int k = 0; k < node.shape_count; ++k) {
      const int shape = node.first_shape + k;
      places[shape].push_back(static_cast<int>(grown.rig.mesh.shapes.size()));
      grown.before.mesh.shapes.push_back(before.mesh.shapes[shape]);
      grown.rig.mesh.shapes.push_back(rig.mesh.shapes[shape]);
    }
    for (const int shape : node.gains) {
      places[shape].push_back(static_cast<int>(grown.rig.mesh.shapes.size()));
      grown.before.mesh.shapes.push_back(still(node));
      BlendShape piece = cut(rig.mesh.shapes[shape], node);
      grown.rig.mesh.shapes.push_back(piece.positions.empty() ? still(node) : std::move(piece));
      grown.rig.mesh.shapes.back().name = rig.mesh.shapes[shape].name;
    }
    if (!node.gains.empty()) add_targets(grown.source, layout, node, users);
  }
  move_shapes(grown.before, places);
  move_shapes(grown.rig, places);
  grown.layout = layout_of(grown.source);
  return grown;
}

std::vector<TargetPlace> target_places(const Layout& layout) {
  std::vector<TargetPlace> places;
  int node = -1;
  for (const Layout::PartSource& part : layout.parts) {
    if (part.node == node) continue;
    node = part.node;
    for (int k = 0; k < part.shape_count; ++k) places.push_back({node, k});
  }
  return places;
}

}  // namespace sinew::gltf
