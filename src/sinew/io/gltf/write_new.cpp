// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/append.h"
#include "sinew/io/gltf/extras.h"
#include "sinew/io/gltf/pack_weights.h"
#include "sinew/io/gltf/skin_settings.h"
#include "sinew/io/gltf/write.h"
#include "sinew/io/gltf/write_clip.h"
#include "sinew/io/gltf/write_look.h"
#include "sinew/io/gltf/write_mesh.h"
#include "sinew/io/gltf/write_nodes.h"

namespace sinew::gltf {
namespace {

std::vector<Part> parts_of(const Mesh& mesh) {
  if (!mesh.parts.empty()) return mesh.parts;
  Part whole;
  whole.vertex_count = static_cast<Index>(mesh.vertex_count());
  whole.triangle_count = static_cast<Index>(mesh.triangles.size());
  return {whole};
}

// Stretches of vertices that together are all of them; parts whose vertices overlap share one.
std::vector<VertexRange> stretches_of(const std::vector<Part>& parts, Index vertex_count) {
  std::vector<std::pair<Index, Index>> ends;
  for (const Part& part : parts) {
    if (part.vertex_count > 0) {
      ends.emplace_back(part.first_vertex, part.first_vertex + part.vertex_count);
    }
  }
  std::sort(ends.begin(), ends.end());
  std::vector<VertexRange> stretches = {{0, 0, {}}};
  Index end = 0;  // of the parts seen so far
  for (const auto& [from, to] : ends) {
    if (from >= end && end > 0) {
      stretches.back().count = from - stretches.back().first;
      stretches.push_back({from, 0, {}});
    }
    end = std::max(end, to);
  }
  stretches.back().count = vertex_count - stretches.back().first;
  return stretches;
}

class NewDocument {
 public:
  NewDocument(const Rig& rig, const GltfOptions& options,
              std::span<const JointConstraint> constraints, std::span<const PartLook> looks)
      : rig_(rig), options_(options), constraints_(constraints), looks_(looks) {
    document_.json = {{"asset", {{"version", "2.0"}, {"generator", "Sinew"}}},
                      {"scene", 0},
                      {"scenes", Json::array({Json::object()})}};
    if (!rig.name.empty()) document_.json["scenes"][0]["name"] = rig.name;
  }

  Document write() {
    write_joints();
    write_skin();
    if (rig_.mesh.vertex_count() > 0) write_mesh();
    write_motion();
    set_drivers(document_.json, rig_, node_of_joint_, places_);
    set_limits(document_.json, rig_, node_of_joint_);
    set_offset_curves(document_.json, rig_, {&slots_, 1}, node_of_joint_);
    set_constraints(document_, constraints_, node_of_joint_);
    return std::move(document_);
  }

 private:
  void write_joints() {
    const std::vector<Joint>& joints = rig_.skeleton.joints;
    node_of_joint_.resize(joints.size());
    std::iota(node_of_joint_.begin(), node_of_joint_.end(), 0);
    // Parents may come after their children, so all nodes are added before they are linked.
    Json nodes = Json::array(), roots = Json::array();
    for (const Joint& joint : joints) nodes.push_back(node_of(joint));
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const int parent = joints[i].parent;
      (parent == no_joint ? roots : array_in(nodes[parent], "children")).push_back(i);
    }
    if (!nodes.empty()) document_.json["nodes"] = std::move(nodes);
    if (!roots.empty()) document_.json["scenes"][0]["nodes"] = std::move(roots);
  }

  void write_skin() {
    const std::vector<Bone>& bones = rig_.skeleton.bones;
    if (bones.empty()) return;
    for (std::size_t b = 0; b < bones.size(); ++b) {
      slots_.add(document_, static_cast<int>(b), bones[b].joint, bones[b].inverse_bind);
    }
    gather_roots();
    Json skin = Json::object();
    set_slots(document_, skin, slots_);
    set_tails(skin, slots_, rig_.skeleton, node_of_joint_);
    set_twist_shares(skin, slots_, rig_.skeleton);
    set_filters(skin, slots_, rig_.skin.filters);
    set_muscles(skin, slots_, rig_.skin.muscles, node_of_joint_);
    array_in(document_.json, "skins").push_back(std::move(skin));
  }

  // The joints of a skin must hang from one node.
  void gather_roots() {
    const std::vector<int> roots = roots_above(document_, slots_.nodes);
    if (roots.size() < 2) return;
    Json& scene_roots = document_.json["scenes"][0]["nodes"];
    Json others = Json::array();
    for (const Json& root : scene_roots) {
      if (!std::binary_search(roots.begin(), roots.end(), root.get<int>())) others.push_back(root);
    }
    scene_roots = std::move(others);
    add_node(document_, {{"name", "skeleton"}, {"children", roots}}, -1);
  }

  void write_mesh() {
    const SplitMesh split = split_corners(rig_.mesh);
    const Mesh& mesh = split.mesh;
    const std::vector<Part> parts = parts_of(mesh);
    mesh_name_ = parts.front().name.empty() ? rig_.name : parts.front().name;
    Json primitives = Json::array();
    for (const VertexRange& range : stretches_of(parts, static_cast<Index>(mesh.vertex_count()))) {
      write_stretch(split, parts, range, primitives);
    }
    Json gltf_mesh = {{"primitives", std::move(primitives)}};
    if (!mesh_name_.empty()) gltf_mesh["name"] = mesh_name_;
    const int shape_count = static_cast<int>(mesh.shapes.size());
    set_target_names(gltf_mesh, mesh, 0, shape_count);
    array_in(document_.json, "meshes").push_back(std::move(gltf_mesh));

    const int number = mesh_node();
    Json& node = document_.json["nodes"][number];
    node["mesh"] = 0;
    if (has_weights()) {
      node["skin"] = 0;
    } else if (!rig_.skeleton.bones.empty()) {
      set_extra(node, "unbound", true);
    }
    groups_.push_back({number, 0, shape_count});
    for (int k = 0; k < shape_count; ++k) places_.push_back({number, k});
  }

  bool has_weights() const {
    return rig_.skin.weights.vertex_count() > 0 && !rig_.skeleton.bones.empty();
  }

  // One primitive for each part with vertices in the range; vertices without a triangle are kept as
  // points.
  void write_stretch(const SplitMesh& split, const std::vector<Part>& parts,
                     const VertexRange& range, Json& primitives) {
    const Mesh& mesh = split.mesh;
    Json attributes = Json::object();
    set_attributes(
        document_, attributes, mesh, range,
        {.positions = true, .normals = true, .tangents = true, .uvs = true, .colors = true});
    if (has_weights()) {
      const auto rows = std::span(split.source).subspan(range.first, range.count);
      set_weights(document_, attributes,
                  pack_weights(rig_, rows, slots_.slot_of_bone, options_.weights),
                  options_.weights);
      set_blend_shares(document_, attributes, rig_, rows);
      set_curve_weights(document_, attributes, rig_, rows);
    }
    Json primitive = {{"attributes", std::move(attributes)}};
    if (!mesh.shapes.empty()) {
      primitive["targets"] = write_targets(document_, primitive["attributes"], mesh, range, 0,
                                           static_cast<int>(mesh.shapes.size()));
    }
    const std::size_t before = primitives.size();
    for (const Part& part : parts) {
      const bool inside =
          part.first_vertex >= range.first && part.first_vertex < range.first + range.count;
      if (!inside || part.triangle_count == 0) continue;
      primitive["indices"] =
          write_indices(document_, mesh, range, part.first_triangle, part.triangle_count);
      primitive["material"] =
          looks_.empty() ? material(part.material)
                         : material(part.material, static_cast<std::size_t>(&part - parts.data()));
      primitives.push_back(primitive);
      // Primitives have no names of their own.
      if (!part.name.empty() && part.name != mesh_name_)
        set_extra(primitives.back(), "name", part.name);
    }
    if (primitives.size() == before) {
      primitive["mode"] = 0;
      primitives.push_back(std::move(primitive));
    }
  }

  // White and not metallic, so that vertex colours are seen as they are.
  int material(const std::string& name) {
    Json& materials = array_in(document_.json, "materials");
    const auto [place, is_new] = materials_.emplace(name, static_cast<int>(materials.size()));
    if (is_new) {
      Json json = {{"pbrMetallicRoughness", {{"metallicFactor", 0.0}, {"roughnessFactor", 0.8}}},
                   {"doubleSided", true}};
      if (!name.empty()) json["name"] = name;
      materials.push_back(std::move(json));
    }
    return place->second;
  }

  int material(const std::string& name, std::size_t part) {
    Json& materials = array_in(document_.json, "materials");
    materials.push_back(material_of(document_, looks_[part]));
    if (!name.empty()) materials.back()["name"] = name;
    return static_cast<int>(materials.size()) - 1;
  }

  // A frame that does nothing else, such as the one that an earlier file had for its mesh; or a new
  // node.
  int mesh_node() {
    const std::vector<Joint>& joints = rig_.skeleton.joints;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const Json& node = document_.json["nodes"][i];
      const bool in_skin = slots_.taken.contains(static_cast<int>(i));
      if (joints[i].is_frame && joints[i].parent == no_joint && joints[i].rest == Transform{} &&
          !node.contains("children") && !in_skin) {
        return static_cast<int>(i);
      }
    }
    Json node = Json::object();
    if (!rig_.name.empty()) node["name"] = rig_.name;
    return add_node(document_, std::move(node), -1);
  }

  void write_motion() {
    std::vector<double> defaults;
    for (const BlendShape& shape : rig_.mesh.shapes) defaults.push_back(shape.default_weight);
    const ClipTargets targets{node_of_joint_, groups_, defaults};
    for (const Clip& clip : rig_.clips) {
      Json animation = write_clip(document_, clip, targets);
      array_in(document_.json, "animations").push_back(std::move(animation));
    }
  }

  const Rig& rig_;
  const GltfOptions& options_;
  std::span<const JointConstraint> constraints_;
  std::span<const PartLook> looks_;
  Document document_;
  std::vector<int> node_of_joint_;
  SkinSlots slots_;
  std::vector<ShapeGroup> groups_;
  std::vector<TargetPlace> places_;  // of the shapes
  std::string mesh_name_;
  std::map<std::string, int> materials_;
};

}  // namespace

Document new_document(const Rig& rig, const GltfOptions& options,
                      std::span<const JointConstraint> constraints,
                      std::span<const PartLook> looks) {
  if (!looks.empty() && looks.size() != parts_of(rig.mesh).size()) {
    throw UsageError(fmt::format("{} looks for {} parts", looks.size(), parts_of(rig.mesh).size()));
  }
  return NewDocument(rig, options, constraints, looks).write();
}

}  // namespace sinew::gltf
