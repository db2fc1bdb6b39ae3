// SPDX-License-Identifier: Apache-2.0
// A clip made ready for a rig's frames: any time at the same cost, whatever was asked for before.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/rig_plan.h"
#include "sinew/motion/clip_sampler.h"

namespace sinew {

// Which turn a twist is in depends on the whole clip up to a moment, so that it is followed here
// once, in steps of 1/60 s, short enough that no joint of a sane animation turns by half a turn in
// one of them. Of the joints whose twist is a quarter turn or more away from bind at some step the
// twist is kept for every step (8 bytes); of all others the pose alone says which turn it is.
// Nothing changes after that: copies share it, and any number of threads may use it at once.
class ClipPlan {
 public:
  // Frames of less than BoneDetail::ends know no twist; a plan for these is made without a look at
  // it. Holds copies: the clip may go. Throws UsageError for a clip that drives what the rig does
  // not have, or whose curves are not valid.
  ClipPlan(const RigPlan& rig, const Clip& clip, BoneDetail detail = BoneDetail::all);

  // The rig it was planned for.
  const RigPlan& rig() const { return data_->rig; }
  // In seconds: the time of the last key.
  double duration() const { return data_->sampler.duration(); }
  // As much as a PosedRig that plays it may ask for.
  BoneDetail detail() const { return data_->detail; }

  // The rest pose with the clip's channels on top at `time` (seconds), generalized bones computed.
  // Before its start the clip holds its first moment, after its end its last. Allocates nothing
  // where `pose` has the rig's sizes. Throws UsageError for a time that is no number.
  void sample(double time, Pose& pose) const;

  // The twists of the step before `time`, into a frame's angles (see PosedRig); the others are set
  // to no_twist.
  void twists_before(double time, std::span<double> angles) const;

 private:
  struct Data {
    RigPlan rig;
    ClipSampler sampler;
    BoneDetail detail;
    std::vector<int> turning;   // numbers of the angles that are kept
    std::vector<double> steps;  // of these, one row for each step
  };
  static void follow_twists(Data& data);

  std::shared_ptr<const Data> data_;
};

}  // namespace sinew
