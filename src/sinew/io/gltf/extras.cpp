// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/extras.h"

#include <algorithm>

#include "sinew/io/detail/limits_json.h"
#include "sinew/io/detail/muscles_json.h"
#include "sinew/io/detail/rig_json.h"
#include "sinew/io/detail/skin_json.h"

namespace sinew::gltf {

void set_extra(Json& object, const char* key, Json value) {
  if (!value.empty()) {
    Json& extras = object["extras"];
    if (!extras.is_object()) extras = Json::object();
    extras["sinew"]["version"] = 1;
    extras["sinew"][key] = std::move(value);
    return;
  }
  const auto extras = object.find("extras");
  if (extras == object.end() || !extras->is_object() || !extras->contains("sinew")) return;
  Json& ours = (*extras)["sinew"];
  if (ours.erase(key) == 0) return;
  if (ours.size() <= 1) extras->erase("sinew");
  if (extras->empty()) object.erase("extras");
}

namespace {

// What belongs to each bone, in the order of the skin's joints.
template <class T>
std::vector<T> by_slot(const SkinSlots& slots, const std::vector<T>& by_bone) {
  std::vector<T> result(slots.nodes.size());
  for (std::size_t b = 0; b < slots.slot_of_bone.size(); ++b) {
    const int slot = slots.slot_of_bone[b];
    if (slot >= 0) result[slot] = by_bone[b];
  }
  return result;
}

}  // namespace

void set_tails(Json& skin, const SkinSlots& slots, const Skeleton& skeleton,
               std::span<const int> node_of_joint) {
  const Json tails = tails_to_json(by_slot(slots, skeleton.bones), node_of_joint);
  for (const char* key : {"tails", "tailJoints"}) set_extra(skin, key, tails[key]);
}

void set_twist_shares(Json& skin, const SkinSlots& slots, const Skeleton& skeleton) {
  std::vector<Json> shares;
  bool is_said = false;
  for (const Bone& bone : skeleton.bones) {
    const auto& said = skeleton.joints[bone.joint].twist_shares;
    is_said |= said.has_value();
    if (!said) {
      shares.push_back(nullptr);
    } else if (said->own == 1 - said->parent) {
      shares.push_back(said->parent);
    } else {
      shares.push_back({said->parent, said->own});
    }
  }
  set_extra(skin, "twistShares", is_said ? Json(by_slot(slots, shares)) : Json());
}

void set_filters(Json& skin, const SkinSlots& slots, const std::vector<BoneFilter>& filters) {
  set_extra(skin, "filters", filters.empty() ? Json() : filters_to_json(by_slot(slots, filters)));
}

void set_muscles(Json& skin, const SkinSlots& slots, const std::vector<Muscle>& muscles,
                 std::span<const int> node_of_joint) {
  set_extra(skin, "muscles",
            muscles.empty()
                ? Json()
                : muscles_to_json(by_slot(slots, muscles), joints_by_index(node_of_joint)));
}

void set_offset_curves(Json& document, const Rig& rig, std::span<const SkinSlots> skins,
                       std::span<const int> node_of_joint) {
  const auto bone_to_json = [&](BoneIndex bone) -> Json {
    const auto skin_with = [&](const auto& has) {
      return static_cast<std::size_t>(std::find_if(skins.begin(), skins.end(), has) -
                                      skins.begin());
    };
    const std::size_t b = bone;
    const std::size_t own = skin_with([&](const SkinSlots& slots) {
      return b < slots.slot_of_bone.size() && slots.slot_of_bone[b] >= 0;
    });
    const bool in_skin = own < skins.size();
    const int node = in_skin ? skins[own].nodes[skins[own].slot_of_bone[b]]
                             : node_of_joint[rig.skeleton.bones[b].joint];
    const std::size_t first =
        skin_with([&](const SkinSlots& slots) { return slots.taken.contains(node); });
    if (first == own) return node;
    return {node, in_skin ? static_cast<int>(own) : -1};
  };
  set_extra(document, "offsetCurves", offset_curves_to_json(rig.offset_curves, bone_to_json));
}

void set_drivers(Json& document, const Rig& rig, std::span<const int> node_of_joint,
                 std::span<const TargetPlace> places) {
  const NamesToJson names{joints_by_index(node_of_joint), [&](int shape) -> Json {
                            return {places[shape].node, places[shape].target};
                          }};
  set_extra(document, "controls", controls_to_json(rig.controls));
  set_extra(document, "drivers", drivers_to_json(rig.drivers, rig.shape_drivers, names));
  set_extra(document, "poseSpaces", pose_spaces_to_json(rig.pose_spaces, names));
}

void set_limits(Json& document, const Rig& rig, std::span<const int> node_of_joint) {
  set_extra(document, "limits", limits_to_json(rig.limits, joints_by_index(node_of_joint)));
}

}  // namespace sinew::gltf
