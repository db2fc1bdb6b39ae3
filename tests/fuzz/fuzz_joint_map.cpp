// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/joint_map_json.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/tube.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sinew::Skeleton tube = sinew::make_tube({.rings = 3, .sides = 3}).skeleton;
  return fuzz(
      data, size, [](std::string_view bytes) { return sinew::parse_joint_map(bytes, tube, tube); },
      [](const sinew::JointMap& map) {
        for (const sinew::JointPair& pair : map.pairs) {
          require(sinew::has_joint(tube, pair.source) && sinew::has_joint(tube, pair.target),
                  "pairs of joints that exist");
        }
        sinew::parse_joint_map(sinew::to_json(map, tube, tube), tube, tube);
      });
}
