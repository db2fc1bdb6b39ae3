// SPDX-License-Identifier: Apache-2.0
// From a pose, or a clip at a time, to the bone states that every method reads (Palette::update,
// deform_reference, OffsetCurveSkin).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/clip_plan.h"
#include "sinew/deform/lane_states.h"
#include "sinew/deform/rig_plan.h"
#include "sinew/deform/told_pose.h"

namespace sinew {

// The per-frame state of one character, allocated once. set(), follow() and play() allocate
// nothing. Threads may share plans, but a PosedRig may be used by one thread at a time only.
//
// A bone's head and tail follow their joints. Stretch is computed from their distance, so animated
// translation and scale both stretch; scale across the bone is kept in `across`. Twist comes from a
// swing-twist decomposition and is spread as the plan's links say.
class PosedRig {
 public:
  // Starts in the rest pose.
  explicit PosedRig(const RigPlan& plan, const StateOptions& options = {});

  // A single pose, without history: twists are in (-180, 180] degrees. Throws UsageError for a pose
  // without exactly one transform per joint, or with more shapes or controls than the rig.
  void set(const Pose& pose);
  // The same for a pose made by hand: its twists count with their turns, as if the joints had
  // turned there from none, and its stretched tails are where it says. Throws UsageError also for a
  // twist or tail of a joint that does not exist, or a twist beyond largest_twist.
  void set(const ToldPose& pose);

  // The same for a pose close to the previous one, from a clip or not: twists continue from there,
  // through full turns.
  void follow(const Pose& pose);

  // A clip at `time` (seconds). The result does not depend on earlier calls. Throws UsageError for
  // a clip planned for another rig or for less detail than this, and for a time that is NaN.
  void play(const ClipPlan& clip, double time);

  // What it was made with.
  const RigPlan& plan() const { return plan_; }
  // The detail asked for, or more if the other options need it.
  BoneDetail detail() const { return options_.detail; }

  // The results of the last call of set(), follow() or play().
  const Pose& pose() const { return pose_; }
  std::span<const double> shapes() const { return pose_.shapes; }
  // From each joint's frame to world.
  std::span<const Affine> joints() const { return {globals_.data(), plan_.joint_count()}; }
  // The bones one by one, written out on the first call after each pose.
  std::span<const BoneState> bones() const;
  // The same bones as they were computed, which palettes read; empty with StateOptions that change
  // them afterwards (squash, same_intent).
  std::span<const LaneStates> lanes() const;
  // The same as a pose that set() takes to the same bones: with the twists that have left (-180,
  // 180] degrees, about each joint's own bone or, where that one has not, about the bone before it.
  // Needs BoneDetail::all; with less, there are no twists.
  ToldPose told() const;

 private:
  friend class ClipPlan;
  void copy(const Pose& pose);
  void wind_up(const ToldPose& pose);
  void compute();
  void drive_muscles();
  bool changes_bones() const { return options_.squash || options_.same_intent; }
  void write_bones() const;

  RigPlan plan_;
  StateOptions options_;
  Pose pose_;
  std::vector<Affine> globals_;  // and one more, which never moves
  std::vector<LaneStates> states_;
  // Written out from these; and some more, as bones are computed eight at a time.
  mutable std::vector<BoneState> bones_;
  mutable bool is_written_ = false;
  // Three twist angles per bone: about its own axis, about its parent's axis, and of the joint at
  // its tail.
  std::vector<double> angles_;
  std::vector<TailStretch> tails_;  // of the pose
  std::optional<ClipPlan> played_;  // the clip that the pose is a sample of, if any
};

}  // namespace sinew
