// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/rig_plan.h"

#include "sinew/deform/bone_tree.h"
#include "sinew/deform/told_pose.h"

namespace sinew {
namespace {

RigPlan::PlannedBone plan_bone(const Skeleton& skeleton, const Bone& bone, const BoneLinks& links) {
  RigPlan::PlannedBone result;
  result.joint = bone.joint;
  result.head = bone.head;
  result.tail = bone.tail;
  result.inverse_bind = bone.inverse_bind;
  const Vec3 u = normalized(bone.tail - bone.head);
  result.axis = u;
  result.along = {u * u.x, u * u.y, u * u.z};
  result.flat = Mat3{} - result.along;
  if (links.end != no_joint) {
    result.end_inverse_bind = end_inverse_bind(skeleton, bone, links.end);
  }
  result.links = links;
  return result;
}

std::vector<RigPlan::PlannedMuscle> plan_muscles(const Rig& rig) {
  std::vector<RigPlan::PlannedMuscle> planned;
  for (std::size_t b = 0; b < rig.skin.muscles.size(); ++b) {
    const Muscle& muscle = rig.skin.muscles[b];
    if (muscle.is_none()) continue;
    planned.push_back({BoneIndex(int(b)), muscle, {}});
    if (!muscle.angle) continue;
    planned.back().back_to_rest = conjugate(rig.skeleton.joints[muscle.angle->joint].rest.rotation);
  }
  return planned;
}

}  // namespace

RigPlan::RigPlan(const Rig& rig) {
  Data data{.skeleton = rig.skeleton,
            .drivers = rig.drivers,
            .driver_order = driver_order(rig.skeleton, int(rig.controls.size()), rig.drivers),
            .shape_drivers = prepare_shape_drivers(rig),
            .rest = sinew::rest_pose(rig),
            .order = evaluation_order(rig.skeleton),
            .bones = {},
            .twist_axes = twist_axes(rig.skeleton),
            .muscles = plan_muscles(rig)};
  const std::vector<BoneLinks> links = bone_links(rig);
  for (std::size_t b = 0; b < links.size(); ++b) {
    data.bones.push_back(plan_bone(rig.skeleton, rig.skeleton.bones[b], links[b]));
  }
  data_ = std::make_shared<const Data>(std::move(data));
}

void RigPlan::apply_drivers(Pose& pose) const {
  apply(data_->skeleton, data_->drivers, data_->driver_order, pose);
  data_->shape_drivers.apply(data_->skeleton, pose);
}

}  // namespace sinew
