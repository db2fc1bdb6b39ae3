// SPDX-License-Identifier: Apache-2.0
// What does not change from frame to frame: computed once for a rig, shared by all its characters.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/bone_links.h"
#include "sinew/rig/rig.h"

namespace sinew {

// A rig's skeleton made ready for frames: the order in which joints and generalized bones are
// evaluated, and what each bone takes from others. Nothing in it changes after it was made, copies
// share it, and any number of threads may use it at once. Holds copies: the rig may go.
class RigPlan {
 public:
  // A bone, and what its state needs that depends on the bind pose alone.
  struct PlannedBone {
    int joint = no_joint;
    Vec3 head, tail;
    Affine inverse_bind;
    Vec3 axis;                // from head to tail, of length 1
    Mat3 along, flat;         // the projection on that axis, and what is left beside it
    Affine end_inverse_bind;  // of links.end, if there is one
    BoneLinks links;
  };
  // All of it; see data().
  struct Data {
    Skeleton skeleton;
    std::vector<Driver> drivers;
    std::vector<int> driver_order;
    Pose rest;
    std::vector<int> order;          // of the joints: each after its parent
    std::vector<PlannedBone> bones;  // in the rig's order
  };

  // The rig must be valid. Throws InputError where joints or generalized bones form a circle or
  // name what is not there, UsageError as plan_twists().
  explicit RigPlan(const Rig& rig);

  // What the plan keeps of the rig.
  std::size_t joint_count() const { return data_->order.size(); }
  std::size_t bone_count() const { return data_->bones.size(); }
  const Pose& rest_pose() const { return data_->rest; }
  const BoneLinks& links(int bone) const { return data_->bones[bone].links; }

  // Computes the generalized bones in a pose that was made or changed by hand. Allocates nothing.
  // Throws UsageError for a pose of another rig.
  void apply_drivers(Pose& pose) const;

  // Whether both were made by one call, for one rig.
  friend bool operator==(const RigPlan& a, const RigPlan& b) { return a.data_ == b.data_; }

  // For methods and tests that look inside.
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

}  // namespace sinew
