// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/settings_json.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/tube.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sinew::Rig rig = sinew::make_tube({.bones = 3, .rings = 2, .sides = 3});
  return fuzz(
      data, size, [](std::string_view bytes) { return sinew::parse_offset_curves(bytes, rig); },
      [](const sinew::OffsetCurves& curves) {
        sinew::Rig curved = rig;
        curved.offset_curves = curves;
        sinew::validate(curved);
        sinew::settings_to_json(curved);
      });
}
