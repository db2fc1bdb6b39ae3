// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/posed_rig.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/deform/detail/pose_bones.h"
#include "sinew/deform/muscles.h"
#include "sinew/deform/twist.h"

namespace sinew {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// Outer product u u^T times s.
Mat3 outer(const Vec3& u, double s) { return {u * (u.x * s), u * (u.y * s), u * (u.z * s)}; }

// Scaled along the bone, so that its tail follows the pose (Jacobson and Sorkine 2011, eq. 3).
void scale_to_tail(BoneState& state) {
  const double rest = distance(state.head, state.tail);
  const bool is_there =
      distance(transform_point(state.matrix, state.tail), state.posed_tail) <= 1e-9 * rest;
  if (is_there) return;
  const Vec3 u = normalized(state.tail - state.head);
  const double factor = distance(state.posed_head, state.posed_tail) / rest;
  const Mat3 flat = Mat3{} - outer(u, 1);
  state.turn = state.rotation;
  state.scale_shear = flat * state.scale_shear * flat + outer(u, factor);
  const Mat3 linear = to_matrix(state.turn) * state.scale_shear;
  state.matrix = {linear, state.posed_head - linear * state.head};
}

// NaN where this detail computes nothing, so that missing values cannot be mistaken for a bone at
// rest.
BoneState blank(const RigPlan::PlannedBone& planned, BoneDetail detail) {
  constexpr double nan = no_number;
  constexpr Vec3 nowhere{nan, nan, nan};
  constexpr Quat no_turn{nan, nan, nan, nan};
  constexpr Mat3 no_map{nowhere, nowhere, nowhere};
  BoneState state;
  state.head = planned.head;
  state.tail = planned.tail;
  if (detail < BoneDetail::turns) {
    state.turn = no_turn;
    state.scale_shear = no_map;
  }
  if (detail < BoneDetail::ends) {
    state.posed_head = state.posed_tail = nowhere;
    state.rotation = no_turn;
    state.across = no_map;
    state.twist_head = state.twist_tail = state.bulge = nan;
  }
  if (detail < BoneDetail::all) state.own_twist = nan;
  return state;
}

}  // namespace

PosedRig::PosedRig(const RigPlan& plan, const StateOptions& options)
    : plan_(plan),
      options_(options),
      pose_(plan.rest_pose()),
      globals_(plan.joint_count() + 1),
      states_(plan.data().lane_bones.size()),
      angles_(3 * detail::padded_count(plan.bone_count()), no_twist) {
  // Scaling a bone needs the position of its tail.
  if (options.same_intent) options_.detail = std::max(options.detail, BoneDetail::ends);
  bones_.reserve(detail::padded_count(plan.bone_count()));
  for (const auto& bone : plan.data().bones) bones_.push_back(blank(bone, options_.detail));
  bones_.resize(detail::padded_count(plan.bone_count()));
  if (options_.detail < BoneDetail::all) {
    for (LaneStates& state : states_) state.own_twist.fill(no_number);
  }
  compute();
}

void PosedRig::set(const Pose& pose) {
  copy(pose);
  std::fill(angles_.begin(), angles_.end(), no_twist);
  compute();
}

void PosedRig::set(const ToldPose& pose) {
  const auto is_known = [&](JointIndex joint) { return has_joint(plan_.data().skeleton, joint); };
  const bool fits = std::all_of(pose.twists.begin(), pose.twists.end(),
                                [&](const ToldTwist& t) {
                                  return is_known(t.joint) && std::fabs(t.angle) <= largest_twist;
                                }) &&
                    std::all_of(pose.tails.begin(), pose.tails.end(), [&](const TailStretch& t) {
                      return is_known(t.joint) && t.factor > 0;
                    });
  if (!fits) {
    throw UsageError("the pose twists or stretches a joint that does not exist, or by too much");
  }
  copy(pose);
  tails_ = pose.tails;
  std::fill(angles_.begin(), angles_.end(), no_twist);
  wind_up(pose);
  compute();
}

// Twists the joints from none to what the pose tells, in steps that are easy to follow.
void PosedRig::wind_up(const ToldPose& pose) {
  double most = 0;
  for (const ToldTwist& twist : pose.twists) most = std::max(most, std::fabs(twist.angle));
  if (most <= pi / 2 || options_.detail < BoneDetail::ends) return;
  const int steps = int(std::ceil(most / (pi / 4)));
  for (int s = 0; s < steps; ++s) {
    for (const ToldTwist& twist : pose.twists) {
      const double missing = twist.angle * (1 - double(s) / steps);
      pose_.joints[twist.joint].rotation =
          pose.joints[twist.joint].rotation *
          rotation_about(plan_.data().twist_axes[twist.joint], -missing);
    }
    compute();
  }
  for (const ToldTwist& twist : pose.twists) {
    pose_.joints[twist.joint].rotation = pose.joints[twist.joint].rotation;
  }
}

void PosedRig::follow(const Pose& pose) {
  copy(pose);
  compute();
}

ToldPose PosedRig::told() const {
  ToldPose told{pose_, {}, tails_};
  const auto& planned = plan_.data().bones;
  const auto enter = [&](JointIndex joint, double angle) {
    const bool is_new = std::none_of(told.twists.begin(), told.twists.end(),
                                     [&](const ToldTwist& twist) { return twist.joint == joint; });
    if (is_new && std::fabs(angle) > pi) told.twists.push_back({joint, angle});
  };
  for (std::size_t b = 0; b < planned.size(); ++b) {
    const auto angle = [&](std::size_t which) { return angles_[detail::angle_index(b, which)]; };
    enter(planned[b].joint, angle(0));
    // Against the bone before it the axis may point the other way.
    const BoneIndex above = planned[b].links.parent;
    const bool is_opposite = above >= 0 && dot(planned[above].axis, planned[b].axis) < 0;
    enter(planned[b].joint, is_opposite ? -angle(1) : angle(1));
    if (planned[b].links.end != no_joint) enter(planned[b].links.end, angle(2));
  }
  return told;
}

void PosedRig::play(const ClipPlan& clip, double time) {
  if (clip.rig() != plan_) throw UsageError("the clip was planned for another rig");
  if (options_.detail >= BoneDetail::ends && clip.detail() < options_.detail) {
    throw UsageError("the clip was planned for less detail than the bones need: without twists");
  }
  if (played_ == clip) {
    clip.resample(time, pose_);
  } else {
    played_.reset();
    clip.sample(time, pose_);
    played_ = clip;
  }
  tails_.clear();
  clip.twists_before(time, angles_);
  compute();
}

void PosedRig::copy(const Pose& pose) {
  const Pose& rest = plan_.rest_pose();
  if (pose.joints.size() != rest.joints.size() || pose.shapes.size() > rest.shapes.size() ||
      pose.controls.size() > rest.controls.size()) {
    throw UsageError(
        formatted("the pose has {} joints, {} shapes and {} controls, the rig has {}, {} and {}",
                  pose.joints.size(), pose.shapes.size(), pose.controls.size(), rest.joints.size(),
                  rest.shapes.size(), rest.controls.size()));
  }
  pose_ = pose;
  played_.reset();
  tails_.clear();
}

void PosedRig::compute() {
  detail::pose_joints(plan_.data(), pose_.joints, globals_);
  detail::pose_bones(plan_.data(), options_.detail, globals_, tails_, states_, angles_);
  if (options_.detail >= BoneDetail::ends) drive_muscles();
  is_written_ = false;
}

void PosedRig::write_bones() const {
  const std::size_t count = plan_.bone_count();
  detail::write_bones(plan_.data(), options_.detail, states_, bones_);
  if (options_.squash && options_.detail >= BoneDetail::ends) {
    std::for_each_n(bones_.begin(), count, squash);
  }
  if (options_.same_intent) std::for_each_n(bones_.begin(), count, scale_to_tail);
  is_written_ = true;
}

std::span<const BoneState> PosedRig::bones() const {
  if (!is_written_) write_bones();
  return {bones_.data(), plan_.bone_count()};
}

std::span<const LaneStates> PosedRig::lanes() const {
  if (changes_bones()) return {};
  return states_;
}

void PosedRig::drive_muscles() {
  for (const auto& [bone, muscle, back_to_rest] : plan_.data().muscles) {
    double turned = 0;
    if (muscle.angle) {
      const Quat& rotation = pose_.joints[muscle.angle->joint].rotation;
      turned = muscle_angle(*muscle.angle, back_to_rest * rotation);
    }
    LaneStates& state = states_[bone / 8];
    const std::size_t lane = bone % 8;
    const RigPlan::PlannedBone& planned = plan_.data().bones[bone];
    const double factor =
        distance(lane_vector(state.posed_head, lane), lane_vector(state.posed_tail, lane)) /
        distance(planned.head, planned.tail);
    state.bulge[lane] = muscle_drive(muscle, options_.squash ? 1 : factor, turned);
  }
}

std::vector<BoneState> bone_states(const Rig& rig, const Pose& pose, const StateOptions& options) {
  PosedRig posed(RigPlan(rig), options);
  posed.set(pose);
  return {posed.bones().begin(), posed.bones().end()};
}

std::vector<BoneState> bone_states(const Rig& rig, const ToldPose& pose,
                                   const StateOptions& options) {
  PosedRig posed(RigPlan(rig), options);
  posed.set(pose);
  return {posed.bones().begin(), posed.bones().end()};
}

std::vector<BoneState> bone_states(const Rig& rig, const Clip& clip, double time,
                                   const StateOptions& options) {
  const RigPlan plan(rig);
  PosedRig posed(plan, options);
  posed.play(ClipPlan(plan, clip, posed.detail()), time);
  return {posed.bones().begin(), posed.bones().end()};
}

}  // namespace sinew
