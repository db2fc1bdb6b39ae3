// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/settings_json.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/tube.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sinew::Rig rig = sinew::make_tube({.rings = 3, .sides = 3});
  return fuzz(
      data, size, [](std::string_view bytes) { return sinew::parse_limits(bytes, rig); },
      [](const std::vector<sinew::IkLimit>& limits) {
        sinew::Rig limited = rig;
        limited.limits = limits;
        sinew::validate(limited);
        sinew::settings_to_json(limited);
      });
}
