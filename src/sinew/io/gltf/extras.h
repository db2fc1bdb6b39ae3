// SPDX-License-Identifier: Apache-2.0
// Data that glTF has no field for is stored under "extras": {"sinew": {"version": 1, ...}} (see
// rig_json.h).
#pragma once

#include <span>

#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/grow_shapes.h"
#include "sinew/io/gltf/write_nodes.h"
#include "sinew/rig/rig.h"

namespace sinew::gltf {

// Sets one member of our extras. An empty array or null removes it, and our extras as well if
// nothing is left. Other extras are kept.
void set_extra(Json& object, const char* key, Json value);

// Write the tails of the skin's bones, the twist shares of their joints (if the rig has any), their
// filters and their muscles.
void set_tails(Json& skin, const SkinSlots& slots, const Skeleton& skeleton,
               std::span<const int> node_of_joint);
void set_twist_shares(Json& skin, const SkinSlots& slots, const Skeleton& skeleton);
void set_filters(Json& skin, const SkinSlots& slots, const std::vector<BoneFilter>& filters);
void set_muscles(Json& skin, const SkinSlots& slots, const std::vector<Muscle>& muscles,
                 std::span<const int> node_of_joint);

// The settings of offset curves but for painted weights, if they are not the defaults. A bone is
// given by its node or, where the first skin with that node has another bone there, by node and
// skin (-1: none).
void set_offset_curves(Json& document, const Rig& rig, std::span<const SkinSlots> skins,
                       std::span<const int> node_of_joint);

// Controls, drivers and pose spaces of the whole document, and limits of its joints. `places` are
// those of the rig's blend shapes.
void set_drivers(Json& document, const Rig& rig, std::span<const int> node_of_joint,
                 std::span<const TargetPlace> places);
void set_limits(Json& document, const Rig& rig, std::span<const int> node_of_joint);

}  // namespace sinew::gltf
