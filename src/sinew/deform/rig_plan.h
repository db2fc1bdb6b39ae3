// SPDX-License-Identifier: Apache-2.0
// Per-rig data that does not change between frames, shared by all characters that use the rig.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/bone_links.h"
#include "sinew/rig/rig.h"

namespace sinew {

// A rig's skeleton prepared for posing: the evaluation order of joints and generalized bones,
// what drives blend shapes, and how each bone depends on others. Immutable: copies share the data,
// and any number of threads may use it at once. Holds copies: the rig need not outlive it.
class RigPlan {
 public:
  // A bone, with values that depend only on the bind pose.
  struct PlannedBone {
    JointIndex joint = no_joint;
    Vec3 head, tail;
    Affine inverse_bind;
    Vec3 axis;                // unit vector from head to tail
    Affine end_inverse_bind;  // of links.end, if there is one
    BoneLinks links;
  };
  // What every frame reads of eight bones, side by side; behind the last bone are some that stay at
  // the origin, with a joint of their own behind the last joint.
  struct LaneBones {
    using Lane = std::array<double, 8>;  // one number of each
    std::array<Lane, 12> inverse_bind;
    std::array<Lane, 3> head, axis, parent_axis;
    // With `axis`, the bone's frame at bind; and its length there.
    std::array<Lane, 3> side, other_side;
    Lane rest_length;
    std::array<Lane, 3> tail;    // in the frame of the joint that moves it, tail_joint
    Lane own_share, next_share;  // of the twist against the parent: the bone's own, the parent's
    // 1 or 0: whether there is a parent, and whether that one hands its twist on to this bone.
    Lane has_parent, is_next;
    std::array<int, 8> joint, tail_joint;
    std::array<int, 8> parent;  // or the bone itself
    bool has_ends = false;      // whether links.end of any is a joint
  };
  // A bone's muscle, and the joint that it follows, if any, at rest.
  struct PlannedMuscle {
    BoneIndex bone = no_bone;
    Muscle muscle;
    Quat back_to_rest;  // the inverse of that joint's rotation at rest
  };
  // All of it; see data().
  struct Data {
    Skeleton skeleton;
    std::vector<Driver> drivers;
    std::vector<int> driver_order;
    ShapeDrivers shape_drivers;
    Pose rest;
    std::vector<JointIndex> order;    // of the joints: parents first
    std::vector<JointIndex> parents;  // of the joints, in that order
    std::vector<PlannedBone> bones;   // in the rig's order
    std::vector<LaneBones> lane_bones;
    std::vector<Vec3> twist_axes;  // of the joints
    std::vector<PlannedMuscle> muscles;
  };

  // The rig must be valid. Throws InputError if joints or generalized bones form a cycle or refer
  // to something that does not exist, and as ShapeDrivers; UsageError as plan_twists().
  explicit RigPlan(const Rig& rig);

  // What the plan keeps of the rig.
  std::size_t joint_count() const { return data_->order.size(); }
  std::size_t bone_count() const { return data_->bones.size(); }
  const Pose& rest_pose() const { return data_->rest; }
  const BoneLinks& links(BoneIndex bone) const { return data_->bones[bone].links; }

  // Computes the generalized bones and driven blend shapes in a pose that was made or changed by
  // hand. Allocates nothing.
  // Throws UsageError for a pose that does not fit the rig.
  void apply_drivers(Pose& pose) const;

  // Whether both are copies of the same plan.
  friend bool operator==(const RigPlan& a, const RigPlan& b) { return a.data_ == b.data_; }

  // For methods and tests that look inside.
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

}  // namespace sinew
