// SPDX-License-Identifier: Apache-2.0
// The built-in arm with a biceps that its elbow drives and a forearm that swells as it gets
// shorter.
#pragma once

#include "sinew/deform/pose_clip.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/io/gltf.h"
#include "sinew/samples/samples.h"

namespace sinew {

// A clip bends it, and shortens its forearm.
inline Model muscled_arm() {
  Model model = parse_gltf(to_glb({make_sample("arm", 600), nullptr}));
  Rig& rig = model.rig;
  const JointIndex elbow = find_joint(rig.skeleton, "forearm"),
                   wrist = find_joint(rig.skeleton, "hand");
  rig.skin.muscles.resize(rig.skeleton.bones.size());
  for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
    const JointIndex joint = rig.skeleton.bones[b].joint;
    if (joint == find_joint(rig.skeleton, "upper_arm")) {
      rig.skin.muscles[b].angle = MuscleAngle{.joint = elbow, .start = 0, .end = 110, .gain = 0.6};
      rig.skin.muscles[b].side = Vec3{0, 0, 1};
    }
    if (joint == elbow) rig.skin.muscles[b].stretch = 1;
  }
  const auto posed = [&](double degrees, double length) {
    ToldPose pose{rest_pose(rig), {}, {}};
    Quat& forearm = pose.joints[elbow].rotation;
    forearm = forearm * rotation_about(Vec3{0, 1, 0}, radians(degrees));
    pose.joints[wrist].translation = pose.joints[wrist].translation * length;
    return pose;
  };
  const std::vector<PoseKey> keys{{0, posed(0, 1)}, {1, posed(110, 0.7)}, {1.5, posed(30, 1.2)}};
  rig.clips = {clip_from_poses(rig, "bend", keys)};
  return model;
}

}  // namespace sinew
