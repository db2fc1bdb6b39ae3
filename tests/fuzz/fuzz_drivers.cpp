// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/posed_rig.h"
#include "sinew/io/settings_json.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/tube.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sinew::Rig rig = sinew::make_tube({.rings = 3, .sides = 3});
  return fuzz(
      data, size, [](std::string_view bytes) { return sinew::parse_drivers(bytes, rig); },
      [](const sinew::GeneralizedBones& bones) {
        sinew::Rig driven = rig;
        driven.controls = bones.controls;
        driven.drivers = bones.drivers;
        sinew::validate(driven);
        sinew::PosedRig{sinew::RigPlan(driven)}.set(sinew::rest_pose(driven));
        sinew::settings_to_json(driven);
      });
}
