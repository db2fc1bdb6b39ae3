// SPDX-License-Identifier: Apache-2.0
// The one way through a frame: from a pose, or a moment of a clip, to the bones that every method
// reads (Palette::update, deform_reference, OffsetCurveSkin).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/clip_plan.h"
#include "sinew/deform/rig_plan.h"

namespace sinew {

// The memory of one character: sized once, filled for each frame. set(), follow() and play()
// allocate nothing and change nothing but this. Threads may share plans, but each of these belongs
// to one thread at a time.
//
// A bone's head and tail go where their joints go; stretch comes from their distance, so from
// animated translation and from scale alike; scale across the bone stays as `across`. Twist is what
// a swing-twist decomposition leaves, spread as the plan's links say.
class PosedRig {
 public:
  // At rest.
  explicit PosedRig(const RigPlan& plan, const StateOptions& options = {});

  // A pose on its own: twists count from -180 to 180 degrees. Throws UsageError for a pose that has
  // not one transform per joint, or more shapes or controls than the rig.
  void set(const Pose& pose);

  // The same for a pose that follows closely on the last one, be it of a clip or not: twists go on
  // from there, through full turns.
  void follow(const Pose& pose);

  // A clip at `time` (seconds), with the same bits whatever was there before. Throws UsageError
  // for a clip planned for another rig or for less detail than this has, and for a time that
  // is no number.
  void play(const ClipPlan& clip, double time);

  // What it was made with.
  const RigPlan& plan() const { return plan_; }
  // What was asked for, and what the other options need.
  BoneDetail detail() const { return options_.detail; }

  // Of the last call of set(), follow() or play().
  const Pose& pose() const { return pose_; }
  std::span<const double> shapes() const { return pose_.shapes; }
  std::span<const Affine> joints() const { return globals_; }  // from each joint's frame to world
  std::span<const BoneState> bones() const { return bones_; }

 private:
  friend class ClipPlan;
  void copy(const Pose& pose);
  void compute();
  void turn_bones();
  void find_ends();
  void share_twists();

  RigPlan plan_;
  StateOptions options_;
  Pose pose_;
  std::vector<Affine> globals_;
  std::vector<BoneState> bones_;
  // Three for each bone: about its own axis, about its parent's, and of the joint at its tail.
  std::vector<double> angles_;
};

}  // namespace sinew
