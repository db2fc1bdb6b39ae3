// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/bvh.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz(data, size, sinew::read_bvh, [](const auto& rig) {
    validate(rig);
    require(rig.skeleton.bones.size() == rig.skeleton.joints.size(), "each joint has a bone");
    for (const auto& clip : rig.clips) pose_at(rig, clip, duration(clip) / 2);
  });
}
