// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/layout.h"

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/accessors.h"
#include "sinew/io/gltf/primitive.h"
#include "sinew/io/gltf/read.h"

namespace sinew::gltf {
namespace {

// A mesh's primitives that become parts.
struct MeshSource {
  struct Item {
    int primitive = 0;
    std::size_t vertex_count = 0;
    std::size_t shared_with = 0;  // the first item with the same vertices; itself if there is none
  };
  std::vector<Item> items;
  int target_count = 0;
};

class Builder {
 public:
  explicit Builder(const Document& document) : document_(document), accessors_(document) {}

  Layout build() {
    layout_.scene = read_scene(document_);
    layout_.joint_of_node.assign(layout_.scene.parent.size(), -1);
    layout_.bone_of_node.assign(layout_.scene.parent.size(), -1);
    for (std::size_t skin = 0; skin < list_size(document_, "skins"); ++skin) {
      add_skin(list_item(document_, "skins", static_cast<int>(skin)));
    }
    for (std::size_t node = 0; node < layout_.joint_of_node.size(); ++node) {
      joint_for(static_cast<int>(node));
    }
    layout_.is_unbound = all_unbound();
    for (std::size_t node = 0; node < layout_.joint_of_node.size(); ++node) {
      add_parts(static_cast<int>(node));
    }
    return std::move(layout_);
  }

 private:
  int joint_for(int node) {
    int& joint = layout_.joint_of_node[node];
    if (joint < 0) {
      joint = static_cast<int>(layout_.node_of_joint.size());
      layout_.node_of_joint.push_back(node);
    }
    return joint;
  }

  std::vector<Affine> inverse_binds(const JsonRef& skin, std::size_t count) {
    const auto ref = skin.find("inverseBindMatrices");
    if (!ref) return std::vector<Affine>(count);
    const int accessor = ref->index(accessors_.size(), "accessors");
    const AccessorInfo info = accessors_.info(accessor);
    if (info.columns != 4) ref->fail("names an accessor that is no MAT4");
    if (info.count < count) {
      ref->fail(fmt::format("has {} matrices for {} joints", info.count, count));
    }
    // Matrices without bytes are as good as none; as numbers, all of them would be 0.
    if (!info.has_view && !info.is_sparse) return std::vector<Affine>(count);
    const std::vector<double> values = accessors_.doubles(accessor);
    std::vector<Affine> maps;
    for (std::size_t i = 0; i < count; ++i) {
      maps.push_back(affine_from(values.data() + 16 * i, ref->place()));
      if (is_singular(maps.back())) {
        ref->fail(fmt::format("matrix {} cannot be inverted, so its joint has no position", i));
      }
    }
    return maps;
  }

  void add_skin(const JsonRef& skin) {
    const JsonRef joints = skin.at("joints");
    if (joints.size() == 0) joints.fail("must name at least one node");
    const std::vector<Affine> binds = inverse_binds(skin, joints.size());
    std::map<int, std::size_t> seen;
    std::vector<int> bones;
    for (std::size_t slot = 0; slot < joints.size(); ++slot) {
      const int node = joints.at(slot).index(layout_.scene.parent.size(), "nodes");
      if (const auto [other, is_new] = seen.emplace(node, slot); !is_new) {
        joints.at(slot).fail(
            fmt::format("names node {}, as joint {} does already", node, other->second));
      }
      bones.push_back(bone_for(joint_for(node), binds[slot]));
    }
    layout_.bone_of_slot.push_back(std::move(bones));
  }

  int bone_for(int joint, const Affine& bind) {
    const Mat3& l = bind.linear;
    const Vec3& t = bind.translation;
    const std::array<double, 12> numbers = {l.x.x, l.x.y, l.x.z, l.y.x, l.y.y, l.y.z,
                                            l.z.x, l.z.y, l.z.z, t.x,   t.y,   t.z};
    const auto [place, is_new] =
        known_bones_.emplace(std::pair(joint, numbers), static_cast<int>(layout_.bones.size()));
    if (is_new) layout_.bones.push_back({joint, bind});
    return place->second;
  }

  const MeshSource& mesh_source(int index) {
    const auto [place, is_new] = meshes_.try_emplace(index);
    if (is_new) place->second = read_mesh_source(list_item(document_, "meshes", index));
    return place->second;
  }

  MeshSource read_mesh_source(const JsonRef& mesh) {
    MeshSource source;
    std::map<std::string, std::size_t> by_key;
    std::optional<std::size_t> targets_of_first;
    const JsonRef primitives = mesh.at("primitives");
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const Primitive primitive(primitives.at(p), accessors_);
      if (!primitive.has_triangles() || !primitive.has_positions()) continue;
      const auto targets = primitives.at(p).find("targets");
      const std::size_t target_count = targets ? targets->size() : 0;
      if (targets_of_first.value_or(target_count) != target_count) {
        primitives.at(p).fail(fmt::format("has {} targets, but an earlier primitive has {}",
                                          target_count, *targets_of_first));
      }
      targets_of_first = target_count;
      const std::size_t shared_with =
          by_key.emplace(primitive.vertex_key(), source.items.size()).first->second;
      source.items.push_back({static_cast<int>(p), primitive.vertex_count(), shared_with});
    }
    source.target_count = static_cast<int>(targets_of_first.value_or(0));
    return source;
  }

  void add_parts(int node) {
    const JsonRef ref = list_item(document_, "nodes", node);
    const auto mesh = ref.find("mesh");
    if (!mesh) return;
    const int mesh_index = mesh->index(list_size(document_, "meshes"), "meshes");
    const MeshSource& source = mesh_source(mesh_index);
    if (source.items.empty()) return;
    const std::size_t first_part = layout_.parts.size();
    Layout::PartSource part;
    part.node = node;
    part.mesh = mesh_index;
    part.first_shape = shape_count_;
    part.shape_count = source.target_count;
    if (const auto skin = ref.find("skin")) {
      part.skin = skin->index(layout_.bone_of_slot.size(), "skins");
    } else {
      part.to_rig = add_node_bone(node);
    }
    // A few bytes in the file can instantiate a large mesh again.
    accessors_.charge(
        (source.items.size() + static_cast<std::size_t>(source.target_count)) * sizeof(BlendShape),
        ref.place());
    for (std::size_t i = 0; i < source.items.size(); ++i) {
      const MeshSource::Item& item = source.items[i];
      part.primitive = item.primitive;
      part.shares_vertices = item.shared_with != i;
      part.vertex_count = static_cast<Index>(item.vertex_count);
      if (part.shares_vertices) {
        part.first_vertex = layout_.parts[first_part + item.shared_with].first_vertex;
      } else {
        accessors_.charge(item.vertex_count * sizeof(Vec3), ref.place());
        if (vertex_count_ + item.vertex_count > std::numeric_limits<Index>::max()) {
          ref.fail("brings the number of vertices to 2^32, more than a rig can have");
        }
        part.first_vertex = static_cast<Index>(vertex_count_);
        vertex_count_ += item.vertex_count;
      }
      layout_.parts.push_back(part);
    }
    shape_count_ += source.target_count;
  }

  bool all_unbound() const {
    bool any = false;
    for (std::size_t node = 0; node < layout_.joint_of_node.size(); ++node) {
      const JsonRef ref = list_item(document_, "nodes", static_cast<int>(node));
      if (!ref.find("mesh")) continue;
      const auto extras = sinew_extras(ref);
      const auto unbound = extras ? extras->find("unbound") : std::nullopt;
      if (ref.find("skin") || !unbound || !unbound->boolean()) return false;
      any = true;
    }
    return any;
  }

  // The bone that carries the node's unskinned mesh, unless it is unbound; gives
  // Layout::PartSource::to_rig.
  Affine add_node_bone(int node) {
    const std::size_t n = node;
    const Affine& global = layout_.scene.global[n];
    const Affine to_rig = is_singular(global) ? Affine{} : global;
    if (layout_.is_unbound) return to_rig;
    layout_.bone_of_node[n] = static_cast<int>(layout_.bones.size());
    layout_.bones.push_back({layout_.joint_of_node[n], inverse(to_rig)});
    return to_rig;
  }

  const Document& document_;
  Accessors accessors_;
  Layout layout_;
  std::map<std::pair<int, std::array<double, 12>>, int> known_bones_;
  std::map<int, MeshSource> meshes_;
  std::size_t vertex_count_ = 0;
  int shape_count_ = 0;
};

}  // namespace

Layout layout_of(const Document& document) { return Builder(document).build(); }

}  // namespace sinew::gltf
