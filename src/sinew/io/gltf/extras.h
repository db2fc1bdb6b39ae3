// SPDX-License-Identifier: Apache-2.0
// What glTF has no place for, put under "extras": {"sinew": {"version": 1, ...}} (see rig_json.h).
#pragma once

#include <span>

#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/write_nodes.h"
#include "sinew/rig/rig.h"

namespace sinew::gltf {

// Sets one member of our extras; an empty array or null takes it out, and our extras with it if
// nothing is left. Other extras stay.
void set_extra(Json& object, const char* key, Json value);

// The tails of the skin's bones, the twist shares of their joints (where the rig says
// any), and their filters.
void set_tails(Json& skin, const SkinSlots& slots, const Skeleton& skeleton,
               std::span<const int> node_of_joint);
void set_twist_shares(Json& skin, const SkinSlots& slots, const Skeleton& skeleton);
void set_filters(Json& skin, const SkinSlots& slots, const std::vector<BoneFilter>& filters);

// Controls and drivers of the whole document.
void set_generalized_bones(Json& document, const Rig& rig, std::span<const int> node_of_joint);

}  // namespace sinew::gltf
