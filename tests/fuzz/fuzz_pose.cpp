// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/posed_rig.h"
#include "sinew/io/pose_json.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/tube.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sinew::Rig rig = sinew::make_tube({.rings = 3, .sides = 3});
  return fuzz(
      data, size, [](std::string_view bytes) { return sinew::parse_pose(bytes, rig); },
      [](const sinew::PoseFile& pose) {
        if (const auto* bones = std::get_if<std::vector<sinew::BonePose>>(&pose)) {
          require(bones->size() == rig.skeleton.bones.size(), "one pose for each bone");
        } else {
          const auto& joints = std::get<sinew::ToldPose>(pose);
          require(joints.joints.size() == rig.skeleton.joints.size(), "a transform for each joint");
          sinew::PosedRig posed{sinew::RigPlan(rig)};
          posed.set(joints);
          sinew::parse_pose(sinew::write_pose(rig, joints), rig);
        }
      });
}
