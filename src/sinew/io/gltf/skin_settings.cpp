// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/skin_settings.h"

#include <iterator>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/detail/skin_json.h"
#include "sinew/io/gltf/append.h"
#include "sinew/io/gltf/primitive.h"
#include "sinew/io/gltf/read.h"

namespace sinew::gltf {
namespace {

using PartSource = Layout::PartSource;

constexpr const char* blend_share_name = "_BLEND_SHARE";

std::string curve_weight_name(std::size_t set) { return fmt::format("_CURVE_WEIGHT_{}", set); }

[[noreturn]] void refuse_value(const Primitive& primitive, std::string_view attribute,
                               std::size_t vertex, double value, const char* range) {
  throw InputError(primitive.place(attribute),
                   fmt::format("vertex {} has the value {}; it must be {}", vertex, value, range));
}

void read_blend_shares(Reading& reading, Primitive& primitive, const PartSource& source) {
  if (!primitive.accessor(blend_share_name)) return;
  std::vector<double>& shares = reading.rig.skin.blend_shares;
  shares.resize(reading.rig.mesh.vertex_count(), default_blend_share);
  primitive.each_vertex(blend_share_name, 1, [&](std::size_t v, const double* share) {
    if (!(*share >= 0 && *share <= 1)) {
      refuse_value(primitive, blend_share_name, v, *share, "from 0 to 1");
    }
    shares[source.first_vertex + v] = *share;
  });
}

// Where only some primitives are painted, the other rows are 0, which stands for not painted.
void read_curve_weights(Reading& reading, Primitive& primitive, const PartSource& source) {
  OffsetCurves& settings = reading.rig.offset_curves;
  const std::size_t curves = settings.curves.size();
  if (curves == 0 || !primitive.accessor(curve_weight_name(0))) return;
  const std::size_t all = reading.rig.mesh.vertex_count() * curves;
  if (settings.painted_weights.empty()) {
    reading.accessors.charge(all * sizeof(double), primitive.place(curve_weight_name(0)));
  }
  settings.painted_weights.resize(all, 0.0);
  for (std::size_t first = 0; first < curves; first += 4) {
    const std::string name = curve_weight_name(first / 4);
    if (!primitive.accessor(name)) {
      primitive.json().fail(
          fmt::format("has no {}, but there are {} influence curves, and four of "
                      "them in each attribute",
                      name, curves));
    }
    primitive.each_vertex(name, 4, [&](std::size_t vertex, const double* values) {
      for (std::size_t i = 0; i < 4; ++i) {
        if (!(values[i] >= 0)) refuse_value(primitive, name, vertex, values[i], "from 0 on");
        if (first + i >= curves) continue;
        settings.painted_weights[(source.first_vertex + vertex) * curves + first + i] = values[i];
      }
    });
  }
}

BoneIndex bone_at(const Reading& reading, const JsonRef& json) {
  const Layout& layout = reading.layout;
  if (!json.value().is_array()) {
    const int joint = layout.joint_of_node[json.index(layout.joint_of_node.size(), "nodes")];
    for (std::size_t b = 0; b < layout.bones.size(); ++b) {
      if (layout.bones[b].joint == joint) return BoneIndex(static_cast<int>(b));
    }
    json.fail("names a node that is no joint of a skin and has no mesh of its own");
  }
  if (json.size() != 2) json.fail("must be a node, or a node and a skin");
  const int node = json.at(0).index(layout.joint_of_node.size(), "nodes");
  const auto skin = static_cast<int>(
      json.at(1).integer(-1, static_cast<std::int64_t>(layout.bone_of_slot.size()) - 1));
  if (skin < 0) {
    const int bone = layout.bone_of_node[node];
    if (bone < 0) json.at(0).fail("names a node without a mesh of its own");
    return bone;
  }
  for (const int bone : layout.bone_of_slot[skin]) {
    if (layout.bones[bone].joint == layout.joint_of_node[node]) return bone;
  }
  json.at(0).fail(fmt::format("names a node that is no joint of skin {}", skin));
}

void read_offset_curves(Reading& reading) {
  const auto extras = sinew_extras(JsonRef(reading.document.json));
  const auto stored = extras ? extras->find("offsetCurves") : std::nullopt;
  if (!stored) return;
  reading.rig.offset_curves =
      offset_curves_from_json(*stored, [&](const JsonRef& json) { return bone_at(reading, json); });
}

void erase_starting_with(Json& attributes, const char* name) {
  for (auto it = attributes.begin(); it != attributes.end();) {
    it = it.key().starts_with(name) ? attributes.erase(it) : std::next(it);
  }
}

}  // namespace

void read_skin_settings(Reading& reading) {
  read_offset_curves(reading);
  for (const PartSource& source : reading.layout.parts) {
    if (source.shares_vertices) continue;
    Primitive primitive(list_item(reading.document, "meshes", source.mesh)
                            .at("primitives")
                            .at(static_cast<std::size_t>(source.primitive)),
                        reading.accessors);
    read_blend_shares(reading, primitive, source);
    read_curve_weights(reading, primitive, source);
  }
}

void set_blend_shares(Document& document, Json& attributes, const Rig& rig,
                      std::span<const Index> rows) {
  erase_starting_with(attributes, blend_share_name);
  if (rig.skin.blend_shares.empty()) return;
  std::vector<float> shares;
  shares.reserve(rows.size());
  for (const Index row : rows) shares.push_back(to_float(rig.skin.blend_shares[row]));
  attributes[blend_share_name] =
      add_accessor(document, shares, "SCALAR", {.target = Target::vertices});
}

void set_curve_weights(Document& document, Json& attributes, const Rig& rig,
                       std::span<const Index> rows) {
  erase_starting_with(attributes, "_CURVE_WEIGHT_");
  const std::vector<double>& painted = rig.offset_curves.painted_weights;
  if (painted.empty()) return;
  const std::size_t curves = rig.offset_curves.curves.size();
  for (std::size_t first = 0; first < curves; first += 4) {
    std::vector<float> values;
    values.reserve(4 * rows.size());
    for (const Index row : rows) {
      for (std::size_t c = first; c < first + 4; ++c) {
        values.push_back(c < curves ? to_float(painted[row * curves + c]) : 0.0f);
      }
    }
    attributes[curve_weight_name(first / 4)] =
        add_accessor(document, values, "VEC4", {.target = Target::vertices});
  }
}

}  // namespace sinew::gltf
