// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/io/keys_json.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/tube.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sinew::Rig rig = sinew::make_tube({.rings = 3, .sides = 3});
  return fuzz(
      data, size, [](std::string_view bytes) { return sinew::parse_keys(bytes, rig); },
      [](sinew::KeysFile file) {
        sinew::Rig animated = rig;
        if (file.loop) sinew::close_loop(file.keys);
        try {
          sinew::make_ends(animated, file.keys);
          sinew::Clip clip = sinew::clip_from_poses(animated, file.name, file.keys);
          const double rate = 100 / std::max(1.0, sinew::duration(clip));
          sinew::put_clip(animated,
                          sinew::solve_targets(animated, std::move(clip), file.keys, rate));
        } catch (const sinew::InputError&) {
          return;
        }
        sinew::validate(animated);
      });
}
