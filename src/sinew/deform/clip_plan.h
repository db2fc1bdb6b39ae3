// SPDX-License-Identifier: Apache-2.0
// A clip prepared for a rig: random access in time, each frame at the same cost.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/rig_plan.h"
#include "sinew/motion/clip_sampler.h"

namespace sinew {

// How many full turns a twist has made depends on the whole clip up to that time. So twists are
// tracked here once, in steps of 1/60 s, short enough that no joint of a sane animation turns by
// half a turn in one step. For joints whose twist reaches a quarter turn from bind at some step, it
// is stored for every step (8 bytes); for all others the pose alone determines it. Immutable:
// copies share the data, and any number of threads may use it at once.
class ClipPlan {
 public:
  // Below BoneDetail::ends there is no twist, and it is not tracked. Holds copies: the clip need
  // not outlive it. Throws UsageError for a clip that drives a joint, shape or control that the rig
  // does not have, or whose curves are invalid.
  ClipPlan(const RigPlan& rig, const Clip& clip, BoneDetail detail = BoneDetail::all);

  // The rig it was planned for.
  const RigPlan& rig() const { return data_->rig; }
  // In seconds: the time of the last key.
  double duration() const { return data_->sampler.duration(); }
  // As much as a PosedRig that plays it may ask for.
  BoneDetail detail() const { return data_->detail; }

  // The rest pose overwritten by the clip's channels at `time` (seconds), with generalized bones
  // and driven blend shapes computed. Constant before the start and after the end of the clip.
  // Allocates nothing if `pose` already has the rig's sizes. Throws UsageError if the time is NaN.
  void sample(double time, Pose& pose) const;
  // The same for a pose that is a sample of this clip already.
  void resample(double time, Pose& pose) const;

  // Sets a frame's angles (see PosedRig) to the twists of the last step before `time`; angles that
  // are not tracked become no_twist.
  void twists_before(double time, std::span<double> angles) const;

  // Whether both are copies of the same plan.
  friend bool operator==(const ClipPlan& a, const ClipPlan& b) { return a.data_ == b.data_; }

 private:
  struct Data {
    RigPlan rig;
    ClipSampler sampler;
    BoneDetail detail;
    std::vector<int> turning;   // indices of the angles that are stored
    std::vector<double> steps;  // one row of these per step
  };
  static void follow_twists(Data& data);

  std::shared_ptr<const Data> data_;
};

}  // namespace sinew
