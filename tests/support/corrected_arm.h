// SPDX-License-Identifier: Apache-2.0
// The built-in arm with correctives of its elbow, in a file that had no blend shapes for them.
#pragma once

#include "sinew/correct/correctives.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/pose_clip.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/io/gltf.h"
#include "sinew/samples/samples.h"

namespace sinew {

// Bent by 50 and 110 degrees it looks as by dual quaternions, under stretchable, twistable bones
// over linear blending; a clip bends it.
inline Model corrected_arm() {
  Model model = parse_gltf(to_glb({make_sample("arm", 600), nullptr}));
  const Rig& rig = model.rig;
  const auto bent = [&](double degrees) {
    ToldPose pose{rest_pose(rig), {}, {}};
    Quat& forearm = pose.joints[find_joint(rig.skeleton, "forearm")].rotation;
    forearm = forearm * rotation_about(Vec3{0, 1, 0}, radians(degrees));
    return pose;
  };
  std::vector<CorrectiveExample> examples;
  for (const double degrees : {50.0, 110.0}) {
    examples.push_back({"elbow", bent(degrees),
                        deform_reference(rig, bone_states(rig, bent(degrees)), {},
                                         method_from_name("stbs-dqs", rig))
                            .positions});
  }
  Rig corrected = make_correctives(rig, examples, method_from_name("stbs-lbs", rig)).rig;
  const std::vector<PoseKey> keys{{0, bent(0)}, {1, bent(110)}, {1.5, bent(30)}};
  corrected.clips = {clip_from_poses(rig, "bend", keys)};
  model.rig = std::move(corrected);
  return model;
}

}  // namespace sinew
