// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/drop_shapes.h"

#include <algorithm>
#include <string>

#include "sinew/core/error.h"
#include "sinew/io/gltf/grow_shapes.h"
#include "sinew/io/gltf/mesh_edits.h"
#include "sinew/rig/internal/move_shapes.h"

namespace sinew::gltf {
namespace {

// Whether all that it moves is in the node.
bool fits(const BlendShape& shape, int node, const std::vector<int>& node_of_vertex) {
  for (std::size_t i = 0; i < shape.positions.size(); ++i) {
    const std::size_t v = shape.vertices.empty() ? i : shape.vertices[i];
    if (shape.positions[i] != Vec3{} && node_of_vertex[v] != node) return false;
  }
  return true;
}

// Expressions of avatars, and animations by pointer.
bool names_targets(const Json& json) {
  if (json.is_string()) {
    const auto& text = json.get_ref<const std::string&>();
    return text.starts_with('/') && text.find("/weights") != std::string::npos;
  }
  if (json.is_object() && (json.contains("morphTargetBinds") || json.contains("blendShapeMaster")))
    return true;
  return json.is_structured() && std::any_of(json.begin(), json.end(), names_targets);
}

bool names_targets_elsewhere(const Json& document) {
  for (const char* place : {"extensions", "animations"}) {
    const auto found = document.find(place);
    if (found != document.end() && names_targets(*found)) return true;
  }
  return false;
}

// Erases the items of a list member whose place is in `targets`, ascending; and the member, if none
// is left.
void erase_items(Json& owner, const char* name, const std::vector<int>& targets) {
  const auto list = owner.find(name);
  if (list == owner.end() || !list->is_array()) return;
  for (auto target = targets.rbegin(); target != targets.rend(); ++target) {
    const std::size_t t = *target;
    if (t < list->size()) list->erase(t);
  }
  if (list->empty()) owner.erase(name);
}

void erase_targets(Json& json, MeshUsers& users, int node, const std::vector<int>& targets) {
  const std::size_t number = users.own_mesh(json, static_cast<std::size_t>(node));
  Json& mesh = json["meshes"][number];
  for (Json& primitive : mesh["primitives"]) erase_items(primitive, "targets", targets);
  erase_items(mesh, "weights", targets);
  erase_items(json["nodes"][node], "weights", targets);
  const auto extras = mesh.find("extras");
  if (extras == mesh.end() || !extras->is_object()) return;
  erase_items(*extras, "targetNames", targets);
  if (extras->empty()) mesh.erase("extras");
}

bool has_same_vertices(const Layout& a, const Layout& b) {
  return std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
                    [](const Layout::PartSource& one, const Layout::PartSource& other) {
                      return one.first_vertex == other.first_vertex &&
                             one.vertex_count == other.vertex_count;
                    });
}

}  // namespace

std::vector<bool> dropped_shapes(const Layout& layout, const Outline& before, const Rig& rig,
                                 const Prints& prints) {
  const std::vector<BlendShape>&had = before.rig.mesh.shapes, &has = rig.mesh.shapes;
  std::vector<int> node_of_vertex(before.prints.vertices, -1);
  for (const Layout::PartSource& part : layout.parts) {
    std::fill_n(node_of_vertex.begin() + part.first_vertex, part.vertex_count, part.node);
  }
  const std::vector<TargetPlace> places = target_places(layout);
  std::vector<bool> dropped(had.size(), false);
  std::size_t next = 0;
  for (std::size_t s = 0; s < had.size(); ++s) {
    if (next < has.size()) {
      const BlendShape& shape = has[next];
      const auto is_it = [&](std::size_t other) {
        return had[other].name == shape.name && before.prints.shapes[other] == prints.shapes[next];
      };
      bool comes_later = false;
      for (std::size_t k = s + 1; k < had.size(); ++k) comes_later |= is_it(k);
      if (is_it(s) || (!comes_later && fits(shape, places[s].node, node_of_vertex))) {
        ++next;
        continue;
      }
    }
    dropped[s] = true;
  }
  return dropped;
}

Dropped drop_shapes(const Document& source, const Layout& layout, const Rig& before,
                    const std::vector<bool>& dropped) {
  if (names_targets_elsewhere(source.json)) {
    throw UsageError(
        "a blend shape cannot be removed from this file, which names others by number in its "
        "expressions or animations by pointer");
  }
  Dropped result{source, {}, before};
  result.before.mesh.shapes.clear();
  ShapePlaces places(dropped.size());
  const std::vector<TargetPlace> targets = target_places(layout);
  MeshUsers users(source.json);
  for (std::size_t s = 0; s < dropped.size();) {
    const int node = targets[s].node;
    std::vector<int> erased;
    for (; s < dropped.size() && targets[s].node == node; ++s) {
      if (dropped[s]) {
        erased.push_back(targets[s].target);
      } else {
        places[s].push_back(static_cast<int>(result.before.mesh.shapes.size()));
        result.before.mesh.shapes.push_back(before.mesh.shapes[s]);
      }
    }
    if (!erased.empty()) erase_targets(result.source.json, users, node, erased);
  }
  move_shapes(result.before, places);
  result.layout = layout_of(result.source);
  if (!has_same_vertices(layout, result.layout)) {
    throw UsageError(
        "a blend shape cannot be removed from this file: without it, parts of a mesh would have "
        "the same vertices");
  }
  return result;
}

}  // namespace sinew::gltf
