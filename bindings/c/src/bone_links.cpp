// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/bone_links.h"

#include <nlohmann/json.hpp>

#include "bindings/c/src/rig.h"

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_rig_bone_links(const sinew_rig* rig, sinew_buffer** json) {
  return guarded([&] {
    sinew_buffer*& out = result(json, "json");
    auto list = nlohmann::json::array();
    for (const BoneLinks& links : bone_links(live<RigObject>(rig)->state()->rig())) {
      list.push_back({{"parent", int(links.parent)},
                      {"own_share", links.own_share},
                      {"next", int(links.next)},
                      {"next_share", links.next_share},
                      {"tail_carrier", int(links.tail_carrier)},
                      {"end", int(links.end)}});
    }
    out = make_buffer(list.dump());
  });
}
