// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/append.h"
#include "sinew/io/gltf/drop_shapes.h"
#include "sinew/io/gltf/extras.h"
#include "sinew/io/gltf/grow_shapes.h"
#include "sinew/io/gltf/read.h"
#include "sinew/io/gltf/replaced.h"
#include "sinew/io/gltf/update_mesh.h"
#include "sinew/io/gltf/write.h"
#include "sinew/io/gltf/write_clip.h"

namespace sinew::gltf {
namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw UsageError(problem + ": write it as a new file (a model without a source) instead");
}

void check_fits(const Outline& source, const Rig& rig) {
  const Rig& before = source.rig;
  const auto check_count = [](std::size_t had, std::size_t has, bool may_grow, const char* what) {
    if (has == had || (may_grow && has > had)) return;
    refuse(fmt::format("the rig has {} {}, but the file it was read from {}", has, what, had));
  };
  check_count(source.prints.vertices, rig.mesh.vertex_count(), false, "vertices");
  check_count(before.mesh.parts.size(), rig.mesh.parts.size(), false, "parts");
  check_count(before.skeleton.joints.size(), rig.skeleton.joints.size(), true, "joints");
  check_count(before.skeleton.bones.size(), rig.skeleton.bones.size(), true, "bones");
  if (source.prints.rows > 0 && rig.skin.weights.vertex_count() == 0) {
    refuse("the rig has no weights, but the file it was read from does");
  }
  if (!rig.mesh.normals.per_vertex() || !rig.mesh.uvs.per_vertex()) {
    refuse("the rig has normals or UVs per corner, but the file it was read from per vertex");
  }
  for (std::size_t i = 0; i < before.mesh.parts.size(); ++i) {
    const Part &a = before.mesh.parts[i], &b = rig.mesh.parts[i];
    if (a.first_vertex != b.first_vertex || a.vertex_count != b.vertex_count) {
      refuse(fmt::format("part {} has other vertices than in the file", i));
    }
    if (b.triangle_count == 0 && a.triangle_count > 0) {
      refuse(fmt::format("part {} has no triangles any more", i));
    }
  }
  for (std::size_t j = 0; j < before.skeleton.joints.size(); ++j) {
    if (before.skeleton.joints[j].parent != rig.skeleton.joints[j].parent) {
      refuse(fmt::format("joint {} has another parent than in the file", j));
    }
  }
  for (std::size_t b = 0; b < before.skeleton.bones.size(); ++b) {
    if (before.skeleton.bones[b].joint != rig.skeleton.bones[b].joint) {
      refuse(fmt::format("bone {} is on another joint than in the file", b));
    }
  }
}

void update_joints(Update& update) {
  const std::vector<Joint>&before = update.before.skeleton.joints,
        &after = update.rig.skeleton.joints;
  Json& json = update.document.json;
  for (std::size_t j = 0; j < before.size(); ++j) {
    Json& node = json["nodes"][update.node_of_joint[j]];
    if (before[j].rest != after[j].rest) set_transform(node, after[j].rest);
    if (before[j].name != after[j].name) node["name"] = after[j].name;
  }
  // Parents may come after their children.
  for (std::size_t j = before.size(); j < after.size(); ++j) {
    update.node_of_joint.push_back(static_cast<int>(array_in(json, "nodes").size()));
    json["nodes"].push_back(node_of(after[j]));
  }
  std::vector<int> roots;
  for (std::size_t j = before.size(); j < after.size(); ++j) {
    if (after[j].parent == no_joint) {
      roots.push_back(update.node_of_joint[j]);
    } else {
      const std::size_t parent = after[j].parent;
      attach_node(update.document, update.node_of_joint[j], update.node_of_joint[parent]);
    }
  }
  // The joints of a skin must hang from one node.
  if (roots.size() > 1) {
    add_node(update.document, {{"name", "skeleton"}, {"children", roots}}, -1);
  } else if (roots.size() == 1) {
    attach_node(update.document, roots.front(), -1);
  }
}

void find_slots(Update& update) {
  for (std::size_t s = 0; s < update.layout.bone_of_slot.size(); ++s) {
    SkinSlots& slots = update.skins.emplace_back();
    bool changed = false;
    for (const int bone : update.layout.bone_of_slot[s]) {
      const std::size_t b = bone;
      const Bone& after = update.rig.skeleton.bones[b];
      slots.add(update.document, bone, update.node_of_joint[after.joint], after.inverse_bind);
      changed |= after.inverse_bind != update.before.skeleton.bones[b].inverse_bind;
    }
    update.skin_changed.push_back(changed);
  }
}

void update_skins(Update& update) {
  const Skeleton &before = update.before.skeleton, &after = update.rig.skeleton;
  for (std::size_t b = before.bones.size(); b < after.bones.size(); ++b) {
    const bool known =
        std::any_of(update.skins.begin(), update.skins.end(), [&](const SkinSlots& slots) {
          return b < slots.slot_of_bone.size() && slots.slot_of_bone[b] >= 0;
        });
    if (known) continue;
    if (update.skins.empty()) add_skin(update);
    slot_for(update, 0, static_cast<int>(b));
  }
  for (std::size_t s = 0; s < update.skins.size(); ++s) {
    Json& skin = update.document.json["skins"][s];
    if (update.skin_changed[s]) set_slots(update.document, skin, update.skins[s]);
    // Which tails a reader infers depends on the whole skeleton.
    if (before != after) {
      set_tails(skin, update.skins[s], after, update.node_of_joint);
      set_twist_shares(skin, update.skins[s], after);
    }
    if (update.before.skin.filters != update.rig.skin.filters) {
      set_filters(skin, update.skins[s], update.rig.skin.filters);
    }
    if (update.before.skin.muscles != update.rig.skin.muscles) {
      set_muscles(skin, update.skins[s], update.rig.skin.muscles, update.node_of_joint);
    }
  }
}

// Channels that mean nothing to a rig (of extensions, or without a node) and all other members.
void keep_foreign(Json& animation, const Json& old) {
  for (const Json& channel : old["channels"]) {
    const Json& target = channel["target"];
    if (target.contains("node") && target["path"] != "pointer") continue;
    if (!target.contains("extensions")) continue;
    Json kept = channel;
    kept["sampler"] = animation["samplers"].size();
    animation["samplers"].push_back(old["samplers"][channel["sampler"].get<std::size_t>()]);
    animation["channels"].push_back(std::move(kept));
  }
  for (const auto& [key, value] : old.items()) {
    if (key == "channels" || key == "samplers" || key == "name") continue;
    if (key != "extras" || !value.is_object()) {
      animation[key] = value;
      continue;
    }
    // Ours are new, or gone.
    Json merged = value;
    merged.erase("sinew");
    if (animation.contains("extras")) merged["sinew"] = animation["extras"]["sinew"];
    if (!merged.empty()) animation["extras"] = std::move(merged);
  }
}

bool drives_targets(const Json& animation) {
  const Json& channels = animation["channels"];
  return std::any_of(channels.begin(), channels.end(), [](const Json& channel) {
    return channel["target"].value("path", Json()) == "weights";
  });
}

void update_clips(Update& update) {
  const std::vector<Clip>&before = update.before.clips, &after = update.rig.clips;
  if (before == after && !update.has_other_targets) return;
  std::vector<ShapeGroup> groups;
  for (const Layout::PartSource& part : update.layout.parts) {
    if (groups.empty() || groups.back().node != part.node) {
      groups.push_back({part.node, part.first_shape, part.shape_count});
    }
  }
  std::vector<double> defaults;
  for (const BlendShape& shape : update.rig.mesh.shapes) defaults.push_back(shape.default_weight);
  const ClipTargets targets{update.node_of_joint, groups, defaults};

  std::vector<bool> taken(before.size(), false);
  const auto take = [&](const auto& fits, std::size_t preferred) -> std::optional<std::size_t> {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (!taken[i] && fits(i) && (!found || i == preferred)) found = i;
    }
    if (found) taken[*found] = true;
    return found;
  };
  // Unchanged clips are matched first, so that a changed clip does not take their place. Where a
  // node has got other targets, its curves have other values, too.
  const Json& old = update.source.json;
  std::vector<std::optional<std::size_t>> same(after.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    same[i] = take(
        [&](std::size_t k) {
          return before[k] == after[i] &&
                 !(update.has_other_targets && drives_targets(old["animations"][k]));
        },
        i);
  }
  Json animations = Json::array();
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (same[i]) {
      animations.push_back(old["animations"][*same[i]]);
      continue;
    }
    Json animation = write_clip(update.document, after[i], targets);
    const auto named = take([&](std::size_t k) { return before[k].name == after[i].name; }, i);
    if (named) keep_foreign(animation, old["animations"][*named]);
    animations.push_back(std::move(animation));
  }
  if (animations.empty()) {
    update.document.json.erase("animations");
  } else {
    update.document.json["animations"] = std::move(animations);
  }
}

void update_name(Update& update) {
  if (update.before.name == update.rig.name) return;
  Json& json = update.document.json;
  const auto scenes = json.find("scenes");
  if (scenes == json.end() || scenes->empty()) return;
  (*scenes)[json.value("scene", std::size_t{0})]["name"] = update.rig.name;
}

bool curves_changed(const Update& update) {
  const OffsetCurves &had = update.before.offset_curves, &has = update.rig.offset_curves;
  return had.roundness != has.roundness || had.placement != has.placement ||
         had.curves != has.curves;
}

// `file` is what the source of the update was made from.
Document updated(Update update, const Document& file,
                 std::span<const JointConstraint> constraints) {
  update_joints(update);
  find_slots(update);
  update_meshes(update);
  update_skins(update);
  update_clips(update);
  update_name(update);
  const Rig &before = update.before, &rig = update.rig;
  // Drivers name targets by number.
  if (update.has_other_targets || before.controls != rig.controls ||
      before.drivers != rig.drivers || before.shape_drivers != rig.shape_drivers ||
      before.pose_spaces != rig.pose_spaces) {
    set_drivers(update.document.json, rig, update.node_of_joint, target_places(update.layout));
  }
  if (before.limits != rig.limits) {
    set_limits(update.document.json, rig, update.node_of_joint);
  }
  if (curves_changed(update)) {
    set_offset_curves(update.document.json, rig, update.skins, update.node_of_joint);
  }
  set_constraints(update.document, constraints, update.node_of_joint);
  remove_replaced(update.document, file);
  return std::move(update.document);
}

}  // namespace

Document updated_document(const Document& source, const Rig& rig, const GltfOptions& options,
                          std::span<const JointConstraint> constraints) {
  const Layout layout = layout_of(source);
  const Outline& outline = *source.outline;
  check_fits(outline, rig);
  const auto update = [&](const Document& from, const Layout& from_layout, const Outline& had,
                          const Rig& has, const Prints& prints, bool has_other_targets) {
    return updated({from,
                    from_layout,
                    had.rig,
                    had.prints,
                    has,
                    prints,
                    options,
                    has_other_targets,
                    copy_with_room(from),
                    from_layout.node_of_joint,
                    {},
                    {}},
                   source, constraints);
  };
  const Prints prints = prints_of(rig, layout);
  const std::vector<bool> dropped = dropped_shapes(layout, outline, rig, prints);
  const bool drops = std::find(dropped.begin(), dropped.end(), true) != dropped.end();
  if (!drops && rig.mesh.shapes.size() == dropped.size()) {
    return update(source, layout, outline, rig, prints, false);
  }
  const auto grow = [&](const Document& from, const Layout& from_layout, const Rig& had) {
    if (rig.mesh.shapes.size() == had.mesh.shapes.size()) {
      return update(from, from_layout, outline_of(had, from_layout), rig,
                    prints_of(rig, from_layout), true);
    }
    const Grown grown = grow_shapes(from, from_layout, had, rig);
    return update(grown.source, grown.layout, outline_of(grown.before, grown.layout), grown.rig,
                  prints_of(grown.rig, grown.layout), true);
  };
  const Rig before = read_rig(source, layout);
  if (!drops) return grow(source, layout, before);
  const Dropped fewer = drop_shapes(source, layout, before, dropped);
  return grow(fewer.source, fewer.layout, fewer.before);
}

}  // namespace sinew::gltf
