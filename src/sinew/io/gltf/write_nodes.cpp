// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/write_nodes.h"

#include <algorithm>
#include <cmath>

#include "sinew/io/gltf/append.h"

namespace sinew::gltf {

void set_transform(Json& node, const Transform& transform) {
  for (const char* key : {"matrix", "translation", "rotation", "scale"}) node.erase(key);
  const auto& [t, r, s] = transform;
  if (t != Vec3{}) node["translation"] = {t.x, t.y, t.z};
  if (s != Vec3{1, 1, 1}) node["scale"] = {s.x, s.y, s.z};
  if (r != Quat{}) {
    const Quat q = std::fabs(dot(r, r) - 1) <= 1e-6 ? r : normalized(r);
    node["rotation"] = {q.x, q.y, q.z, q.w};
  }
}

Json node_of(const Joint& joint) {
  Json node = Json::object();
  if (!joint.name.empty()) node["name"] = joint.name;
  set_transform(node, joint.rest);
  return node;
}

void attach_node(Document& document, int node, int parent) {
  Json& json = document.json;
  if (parent >= 0) {
    array_in(json["nodes"][parent], "children").push_back(node);
  } else if (const auto scenes = json.find("scenes"); scenes != json.end() && !scenes->empty()) {
    array_in((*scenes)[json.value("scene", std::size_t{0})], "nodes").push_back(node);
  }
}

int add_node(Document& document, Json node, int parent) {
  Json& nodes = array_in(document.json, "nodes");
  const int number = static_cast<int>(nodes.size());
  nodes.push_back(std::move(node));
  attach_node(document, number, parent);
  return number;
}

std::vector<int> roots_above(const Document& document, std::span<const int> nodes) {
  const Json& list = document.json["nodes"];
  std::vector<int> parent(list.size(), -1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto children = list[i].find("children");
    if (children == list[i].end()) continue;
    for (const Json& child : *children) parent[child.get<std::size_t>()] = static_cast<int>(i);
  }
  std::vector<int> roots;
  for (int node : nodes) {
    while (parent[node] >= 0) {
      node = parent[node];
    }
    roots.push_back(node);
  }
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return roots;
}

void set_constraints(Document& document, std::span<const JointConstraint> constraints,
                     std::span<const int> node_of_joint) {
  if (constraints.empty()) return;
  constexpr const char* name = "VRMC_node_constraint";
  for (const JointConstraint& c : constraints) {
    const int node = node_of_joint[c.joint];
    Json values = {{"source", node_of_joint[c.source]}, {"weight", c.weight}};
    const bool is_roll = c.kind == JointConstraint::Kind::roll;
    if (is_roll) values["rollAxis"] = std::string(1, "XYZ"[c.axis]);
    document.json["nodes"][node]["extensions"][name] = {
        {"specVersion", "1.0"},
        {"constraint", {{is_roll ? "roll" : "rotation", std::move(values)}}}};
  }
  Json& used = array_in(document.json, "extensionsUsed");
  if (std::find(used.begin(), used.end(), name) == used.end()) used.push_back(name);
}

void SkinSlots::add(Document& document, int bone, int node, const Affine& inverse_bind) {
  if (taken.contains(node)) node = add_node(document, Json::object(), node);
  taken.insert(node);
  const std::size_t b = bone;
  if (slot_of_bone.size() <= b) slot_of_bone.resize(b + 1, -1);
  slot_of_bone[b] = static_cast<int>(nodes.size());
  nodes.push_back(node);
  inverse_binds.push_back(inverse_bind);
}

void set_slots(Document& document, Json& skin, const SkinSlots& slots) {
  skin["joints"] = slots.nodes;
  skin["inverseBindMatrices"] = add_matrices(document, slots.inverse_binds);
}

}  // namespace sinew::gltf
