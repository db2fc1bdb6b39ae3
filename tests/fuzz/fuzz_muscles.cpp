// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/muscles.h"
#include "sinew/io/settings_json.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/tube.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sinew::Rig rig = sinew::make_tube({.rings = 3, .sides = 3});
  return fuzz(
      data, size, [](std::string_view bytes) { return sinew::parse_muscles(bytes, rig); },
      [](const std::vector<sinew::Muscle>& muscles) {
        sinew::Rig strong = rig;
        strong.skin.muscles = muscles;
        sinew::validate(strong);
        sinew::bulge_shapes(strong);
        const std::string written = sinew::muscles_to_json(strong);
        strong.skin.muscles = sinew::parse_muscles(written, strong);
        require(sinew::muscles_to_json(strong) == written, "muscles come back as they were");
      });
}
