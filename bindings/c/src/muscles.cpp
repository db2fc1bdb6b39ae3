// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/src/rig.h"
#include "sinew/io/settings_json.h"

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_rig_muscles(const sinew_rig* rig, sinew_buffer** json) {
  return guarded([&] {
    sinew_buffer*& out = result(json, "json");
    out = make_buffer(muscles_to_json(live<RigObject>(rig)->state()->rig()));
  });
}

sinew_status sinew_rig_set_muscles(sinew_rig* rig, const char* json) {
  return guarded([&] {
    const auto object = live<RigObject>(rig);
    const std::string text = text_of(json, "json");
    object->change([&](Model& model) { model.rig.skin.muscles = parse_muscles(text, model.rig); });
  });
}
