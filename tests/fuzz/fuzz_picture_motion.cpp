// SPDX-License-Identifier: Apache-2.0
#include "sinew/puppet/picture_motion.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sinew::PictureBones bones = sinew::parse_picture_bones(
      R"({"joints": {"hip": [40, 90], "knee": [40, 60], "foot": [44, 30]},
          "bones": [{"from": "hip", "to": "knee"}, {"from": "knee", "to": "foot"}]})");
  return fuzz(
      data, size, [](std::string_view bytes) { return sinew::parse_picture_motion(bytes, bones); },
      [](const sinew::PictureMotion& motion) {
        for (const double time : {0.0, motion.duration / 3, 2.5 * motion.duration}) {
          require(motion.at(bones, time).size() == bones.joints.size(), "a place for each joint");
        }
        const std::string written = to_json(motion, bones);
        require(to_json(sinew::parse_picture_motion(written, bones), bones) == written,
                "it comes back as it was");
      });
}
