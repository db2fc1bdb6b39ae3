// SPDX-License-Identifier: Apache-2.0
// Loads a rig, poses it at a moment of its first clip, and says where the tail of each bone went.
//   example_01_load_and_pose [hero.glb] [seconds]
#include <cstdio>
#include <cstdlib>

#include "sinew/core/error.h"
#include "sinew/io/io.h"
#include "sinew/samples/samples.h"

int main(int argc, char** argv) {
  try {
    // Without a file: one of the built-in characters.
    const sinew::Rig rig = argc > 1 ? sinew::read_rig(argv[1]) : sinew::make_sample("arm", 2000);
    const double time = argc > 2 ? std::atof(argv[2]) : 0.5;

    // A pose holds each joint's transform relative to its parent. Take it from a clip ...
    sinew::Pose pose = sinew::rest_pose(rig);
    if (!rig.clips.empty()) pose = sinew::pose_at(rig, rig.clips.front(), time);
    // ... or change it by hand; generalized bones (kneecaps, biceps) then follow.
    pose.joints[0].translation.y += 0.1;
    sinew::apply_drivers(rig, pose);

    // Each bone's map takes points of the rest shape to where the bone moves them.
    const std::vector<sinew::Affine> maps = sinew::bone_maps(rig, pose);
    for (std::size_t b = 0; b < maps.size(); ++b) {
      const sinew::Bone& bone = rig.skeleton.bones[b];
      const sinew::Vec3 tail = sinew::transform_point(maps[b], bone.tail);
      std::printf("%-16s %8.4f %8.4f %8.4f\n", rig.skeleton.joints[bone.joint].name.c_str(), tail.x,
                  tail.y, tail.z);
    }
  } catch (const sinew::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
