// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/rig_plan.h"

#include <algorithm>

#include "sinew/deform/bone_tree.h"
#include "sinew/deform/internal/bind_frame.h"
#include "sinew/deform/told_pose.h"

namespace sinew {
namespace {

RigPlan::PlannedBone plan_bone(const Skeleton& skeleton, const Bone& bone, const BoneLinks& links) {
  RigPlan::PlannedBone result;
  result.joint = bone.joint;
  result.head = bone.head;
  result.tail = bone.tail;
  result.inverse_bind = bone.inverse_bind;
  result.axis = normalized(bone.tail - bone.head);
  if (links.end != no_joint) {
    result.end_inverse_bind = end_inverse_bind(skeleton, bone, links.end);
  }
  result.links = links;
  return result;
}

void set_lane(RigPlan::LaneBones& to, std::size_t lane,
              const std::vector<RigPlan::PlannedBone>& bones, std::size_t b) {
  const RigPlan::PlannedBone& bone = bones[b];
  const BoneLinks& links = bone.links;
  const auto set3 = [&](auto& lanes, const Vec3& v, std::size_t first = 0) {
    for (std::size_t k = 0; k < 3; ++k) lanes[first + k][lane] = v[k];
  };
  const Affine& bind = bone.inverse_bind;
  set3(to.inverse_bind, bind.linear.x);
  set3(to.inverse_bind, bind.linear.y, 3);
  set3(to.inverse_bind, bind.linear.z, 6);
  set3(to.inverse_bind, bind.translation, 9);
  set3(to.head, bone.head);
  const Mat3 frame = bind_frame(bone.head, bone.tail);
  set3(to.axis, frame.x);
  set3(to.side, frame.y);
  set3(to.other_side, frame.z);
  to.rest_length[lane] = distance(bone.head, bone.tail);
  to.joint[lane] = bone.joint;
  if (links.end != no_joint) {
    to.has_ends = true;
    to.tail_joint[lane] = links.end;
    set3(to.tail, transform_point(bone.end_inverse_bind, bone.tail));
  } else {
    const RigPlan::PlannedBone& carrier = bones[links.tail_carrier];
    to.tail_joint[lane] = carrier.joint;
    set3(to.tail, transform_point(carrier.inverse_bind, bone.tail));
  }
  to.parent[lane] = links.parent < 0 ? int(b) : int(links.parent);
  set3(to.parent_axis, bones[std::size_t(to.parent[lane])].axis);
  to.own_share[lane] = to.next_share[lane] = to.has_parent[lane] = to.is_next[lane] = 0;
}

// One more, which stays at the origin.
std::vector<RigPlan::PlannedBone> with_still_bone(std::vector<RigPlan::PlannedBone> bones,
                                                  std::size_t joint_count) {
  RigPlan::PlannedBone& still = bones.emplace_back();
  still.joint = int(joint_count);
  still.tail = still.axis = {1, 0, 0};
  still.links.tail_carrier = int(bones.size()) - 1;
  return bones;
}

std::vector<RigPlan::LaneBones> plan_lanes(const std::vector<RigPlan::PlannedBone>& planned,
                                           std::size_t joint_count) {
  constexpr std::size_t width = 8;
  const std::vector<RigPlan::PlannedBone> bones = with_still_bone(planned, joint_count);
  std::vector<RigPlan::LaneBones> result((planned.size() + width - 1) / width);
  for (std::size_t i = 0; i < width * result.size(); ++i) {
    const std::size_t lane = i % width;
    RigPlan::LaneBones& to = result[i / width];
    set_lane(to, lane, bones, std::min(i, planned.size()));
    if (i >= planned.size() || bones[i].links.parent < 0) continue;
    const BoneLinks& above = bones[bones[i].links.parent].links;
    const bool is_next = above.next == int(i);
    to.has_parent[lane] = 1;
    to.own_share[lane] = bones[i].links.own_share;
    to.is_next[lane] = is_next ? 1 : 0;
    to.next_share[lane] = is_next ? above.next_share : 0;
  }
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
            .parents = {},
            .bones = {},
            .lane_bones = {},
            .twist_axes = twist_axes(rig.skeleton),
            .muscles = plan_muscles(rig)};
  for (const JointIndex joint : data.order) {
    data.parents.push_back(rig.skeleton.joints[joint].parent);
  }
  const std::vector<BoneLinks> links = bone_links(rig);
  for (std::size_t b = 0; b < links.size(); ++b) {
    data.bones.push_back(plan_bone(rig.skeleton, rig.skeleton.bones[b], links[b]));
  }
  data.lane_bones = plan_lanes(data.bones, data.order.size());
  data_ = std::make_shared<const Data>(std::move(data));
}

void RigPlan::apply_drivers(Pose& pose) const {
  apply(data_->skeleton, data_->drivers, data_->driver_order, pose);
  data_->shape_drivers.apply(data_->skeleton, pose);
}

}  // namespace sinew
