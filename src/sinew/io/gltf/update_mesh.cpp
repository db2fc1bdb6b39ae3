// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/update_mesh.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "sinew/io/gltf/append.h"
#include "sinew/io/gltf/extras.h"
#include "sinew/io/gltf/mesh_edits.h"
#include "sinew/io/gltf/pack_weights.h"
#include "sinew/io/gltf/primitive.h"
#include "sinew/io/gltf/skin_settings.h"
#include "sinew/io/gltf/write_mesh.h"

namespace sinew::gltf {
namespace {

using PartSource = Layout::PartSource;

// All parts of one node.
class NodeUpdate {
 public:
  NodeUpdate(Update& update, Accessors& accessors, MeshUsers& users,
             std::span<const PartSource> parts, std::size_t first_part)
      : update_(update),
        accessors_(accessors),
        users_(users),
        parts_(parts),
        first_part_(first_part) {}

  void run() {
    const PartSource& lead = parts_.front();
    const std::size_t node = lead.node;
    std::vector<bool> weights;
    for (std::size_t p = 0; p < parts_.size(); ++p) weights.push_back(weights_changed(p));
    const bool any_weights = std::find(weights.begin(), weights.end(), true) != weights.end();
    gains_skin_ = any_weights && lead.skin < 0;
    const bool moves_space = gains_skin_ && lead.to_rig != Affine{};
    for (int k = 0; k < lead.shape_count; ++k) {
      const std::size_t s = lead.first_shape + k;
      shape_changed_.push_back(moves_space || update_.had.shapes[s] != update_.has.shapes[s]);
    }
    if (any_weights) skin_ = skin_of(lead);

    std::vector<Edit> edits;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      edits.push_back(edit_of(p, weights[p] || gains_skin_, moves_space));
    const bool names = names_changed();
    if (names || std::any_of(edits.begin(), edits.end(), [](const Edit& e) { return e.any(); })) {
      mesh_ = users_.own_mesh(update_.document.json, node);
      for (std::size_t p = 0; p < parts_.size(); ++p) apply(p, edits[p]);
      if (names) set_names();
    }
    if (gains_skin_) {
      Json& json = update_.document.json["nodes"][node];
      json["skin"] = *skin_;
      set_extra(json, "unbound", {});
    }
    set_default_weights(node);
  }

 private:
  struct Edit {
    std::size_t leader = 0;  // the part whose vertices it has
    MeshChanges attributes;
    bool weights = false, shares = false, curves = false, shapes = false, triangles = false;

    bool vertices() const { return attributes.any() || weights || shares || curves || shapes; }
    bool any() const { return vertices() || triangles; }
  };

  const BlendShape& shape(const Rig& rig, int k) const {
    return rig.mesh.shapes[parts_.front().first_shape + k];
  }

  bool names_changed() const {
    for (int k = 0; k < parts_.front().shape_count; ++k) {
      if (shape(update_.before, k).name != shape(update_.rig, k).name) return true;
    }
    return false;
  }

  // Endpoint weights are stored next to bone weights; where there are none, endpoint weights alone
  // do not justify adding them.
  bool weights_changed(std::size_t p) const {
    if (update_.has.rows == 0) return false;
    if (update_.had.rows == 0) return true;
    const PartPrints &had = prints(update_.had, p), &has = prints(update_.has, p);
    if (had.weights != has.weights) return true;
    if (parts_[p].skin < 0) {
      const std::size_t bone =
          update_.layout.bone_of_node[static_cast<std::size_t>(parts_[p].node)];
      return update_.before.skeleton.bones[bone].inverse_bind !=
             update_.rig.skeleton.bones[bone].inverse_bind;
    }
    return had.endpoints != has.endpoints || had.twist_endpoints != has.twist_endpoints;
  }

  const PartPrints& prints(const Prints& of, std::size_t p) const {
    return of.parts[first_part_ + p];
  }

  std::size_t skin_of(const PartSource& part) {
    if (part.skin >= 0) return static_cast<std::size_t>(part.skin);
    // All parts that gain a skin have the same.
    const std::size_t original = update_.layout.bone_of_slot.size();
    return update_.skins.size() > original ? original : add_skin(update_);
  }

  VertexRange range_of(const PartSource& part) const {
    return {part.first_vertex, part.vertex_count,
            gains_skin_               ? Affine{}
            : part.to_rig == Affine{} ? Affine{}
                                      : inverse(part.to_rig)};
  }

  Edit edit_of(std::size_t p, bool weights, bool moves_space) {
    const PartSource& part = parts_[p];
    const PartPrints &had = prints(update_.had, p), &has = prints(update_.has, p);
    Edit edit;
    edit.leader = p;
    if (part.shares_vertices) {
      edit.leader = 0;
      while (parts_[edit.leader].first_vertex != part.first_vertex) ++edit.leader;
    }
    edit.attributes = {.positions = had.positions != has.positions,
                       .normals = had.normals != has.normals,
                       .tangents = had.tangents != has.tangents,
                       .uvs = had.uvs != has.uvs,
                       .colors = had.colors != has.colors};
    edit.weights = weights;
    edit.shares = had.blend_shares != has.blend_shares;
    edit.curves = had.curve_weights != has.curve_weights;
    edit.shapes = std::any_of(shape_changed_.begin(), shape_changed_.end(),
                              [](bool changed) { return changed; });
    edit.triangles = had.triangles != has.triangles;
    if (moves_space) {
      const Json& attributes = source_primitive(part)["attributes"];
      edit.attributes.positions = true;
      edit.attributes.normals |= attributes.contains("NORMAL");
      edit.attributes.tangents |= attributes.contains("TANGENT");
      edit.triangles |= determinant(part.to_rig.linear) < 0;
    }
    return edit;
  }

  const Json& source_primitive(const PartSource& part) const {
    return update_.source.json["meshes"][part.mesh]["primitives"][part.primitive];
  }

  Json& primitive(std::size_t p) {
    return update_.document.json["meshes"][mesh_]["primitives"][parts_[p].primitive];
  }

  void apply(std::size_t p, const Edit& edit) {
    if (!edit.any()) return;
    const PartSource& part = parts_[p];
    Document& document = update_.document;
    Json& json = primitive(p);
    decompress(document, json,
               list_item(update_.source, "meshes", part.mesh)
                   .at("primitives")
                   .at(static_cast<std::size_t>(part.primitive)),
               accessors_);
    if (edit.leader != p && edit.vertices()) {
      const Json& leader = primitive(edit.leader);
      json["attributes"] = leader["attributes"];
      if (leader.contains("targets")) json["targets"] = leader["targets"];
    } else if (edit.vertices()) {
      const VertexRange range = range_of(part);
      set_attributes(document, json["attributes"], update_.rig.mesh, range, edit.attributes);
      std::vector<Index> rows(part.vertex_count);
      std::iota(rows.begin(), rows.end(), part.first_vertex);
      if (edit.weights) write_weights(rows, json["attributes"]);
      if (edit.shares) set_blend_shares(document, json["attributes"], update_.rig, rows);
      if (edit.curves) set_curve_weights(document, json["attributes"], update_.rig, rows);
      for (std::size_t k = 0; k < shape_changed_.size(); ++k) {
        if (!shape_changed_[k]) continue;
        json["targets"][k] = write_targets(document, json["attributes"], update_.rig.mesh, range,
                                           part.first_shape + static_cast<int>(k), 1)[0];
      }
    }
    if (edit.triangles) {
      const Part& b = update_.rig.mesh.parts[first_part_ + p];
      json["indices"] = write_indices(document, update_.rig.mesh, range_of(part), b.first_triangle,
                                      b.triangle_count);
      json.erase("mode");
    }
  }

  void write_weights(std::span<const Index> rows, Json& attributes) {
    const Weights& weights = update_.rig.skin.weights;
    std::vector<bool> used(update_.rig.skeleton.bones.size(), false);
    for (const Index row : rows) {
      for (const Influence& influence : weights.row(row)) {
        used[influence.bone] = true;
      }
    }
    for (std::size_t b = 0; b < used.size(); ++b) {
      if (used[b]) slot_for(update_, *skin_, static_cast<int>(b));
    }
    const PackedWeights packed = pack_weights(update_.rig, rows, update_.skins[*skin_].slot_of_bone,
                                              update_.options.weights);
    set_weights(update_.document, attributes, packed, update_.options.weights);
  }

  void set_names() {
    Json names = Json::array();
    for (int k = 0; k < parts_.front().shape_count; ++k)
      names.push_back(shape(update_.rig, k).name);
    Json& extras = update_.document.json["meshes"][mesh_]["extras"];
    if (!extras.is_object()) extras = Json::object();
    extras["targetNames"] = std::move(names);
  }

  void set_default_weights(std::size_t node) {
    bool changed = false;
    Json weights = Json::array();
    for (int k = 0; k < parts_.front().shape_count; ++k) {
      weights.push_back(shape(update_.rig, k).default_weight);
      changed |= shape(update_.before, k).default_weight != shape(update_.rig, k).default_weight;
    }
    if (changed) update_.document.json["nodes"][node]["weights"] = std::move(weights);
  }

  Update& update_;
  Accessors& accessors_;
  MeshUsers& users_;
  std::span<const PartSource> parts_;
  std::size_t first_part_;
  bool gains_skin_ = false;
  std::optional<std::size_t> skin_;
  std::vector<bool> shape_changed_;
  std::size_t mesh_ = 0;
};

}  // namespace

int slot_for(Update& update, std::size_t skin, int bone) {
  SkinSlots& slots = update.skins[skin];
  const std::size_t b = bone;
  if (b >= slots.slot_of_bone.size() || slots.slot_of_bone[b] < 0) {
    const Bone& added = update.rig.skeleton.bones[b];
    slots.add(update.document, bone, update.node_of_joint[added.joint], added.inverse_bind);
    update.skin_changed[skin] = true;
  }
  return slots.slot_of_bone[b];
}

std::size_t add_skin(Update& update) {
  array_in(update.document.json, "skins").push_back(Json::object());
  update.skins.emplace_back();
  update.skin_changed.push_back(true);
  return update.skins.size() - 1;
}

void update_meshes(Update& update) {
  Accessors accessors(update.source);
  MeshUsers users(update.source.json);
  const std::vector<PartSource>& parts = update.layout.parts;
  for (std::size_t first = 0; first < parts.size();) {
    std::size_t last = first + 1;
    while (last < parts.size() && parts[last].node == parts[first].node) ++last;
    NodeUpdate(update, accessors, users, std::span(parts).subspan(first, last - first), first)
        .run();
    first = last;
  }
  forget_unused_draco(update.document.json);
}

}  // namespace sinew::gltf
