// SPDX-License-Identifier: Apache-2.0
// Bones on a picture, and the loops that move any of them.
#include "sinew/puppet/picture_bones.h"
#include "sinew/puppet/picture_motion.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz(data, size, sinew::parse_picture_bones, [](const sinew::PictureBones& bones) {
    require(sinew::parse_picture_bones(sinew::to_json(bones)) == bones, "it comes back as it was");
    for (const std::string_view loop : sinew::picture_loops()) {
      require(sinew::picture_loop(loop, bones).at(bones, 0.3).size() == bones.joints.size(),
              "a place for each joint");
    }
  });
}
