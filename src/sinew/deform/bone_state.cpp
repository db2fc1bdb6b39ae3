// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/bone_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

Vec3 bind_direction(const Bone& bone) { return normalized(bone.tail - bone.head); }

// Outer product u u^T times s.
Mat3 along(const Vec3& u, double s) { return {u * (u.x * s), u * (u.y * s), u * (u.z * s)}; }

bool is_finite(const BonePose& pose) {
  const Quat q = pose.rotation.value_or(Quat{});
  return sinew::is_finite(pose.start) && sinew::is_finite(pose.end) &&
         sinew::is_finite(q.vector()) && std::isfinite(q.w) && std::isfinite(pose.twist_start) &&
         std::isfinite(pose.twist_end);
}

// The rotation nearest to m (polar decomposition by Higham's iteration); for a singular m the one
// of its translation-rotation-scale split.
Quat nearest_rotation(const Mat3& m) {
  Mat3 q = m;
  if (!(determinant(m) > 0)) return to_transform({m, {}}).rotation;
  for (int i = 0; i < 100; ++i) {
    const Mat3 next = (q + transpose(inverse(q))) * 0.5;
    const Mat3 change = next - q;
    q = next;
    const double moved =
        length_squared(change.x) + length_squared(change.y) + length_squared(change.z);
    if (!(moved > 1e-30)) break;
  }
  return to_quaternion(q);
}

// Bones squeezed to nothing would grow without end across: they stop at a thousandfold.
void squash(BoneState& state) {
  const Vec3 rest = state.tail - state.head;
  const double factor = distance(state.posed_head, state.posed_tail) / length(rest);
  const Mat3 axis = along(normalized(rest), 1);
  state.across = axis + (state.across - axis) * (1 / std::sqrt(std::max(factor, 1e-6)));
}

// Turned by the mean of its end twists: as near as a bone that does not twist can come.
void turn_by_mean_twist(BoneState& state) {
  const Vec3 u = normalized(state.tail - state.head);
  const Quat twist = rotation_about(u, (state.twist_head + state.twist_tail) / 2);
  state.turn = state.turn * twist;
  const Mat3 linear = state.matrix.linear * to_matrix(twist);
  state.matrix = {linear, transform_point(state.matrix, state.head) - linear * state.head};
}

// Scaled along the bone, so that its tail goes where the pose has it (eq. 3).
void scale_to_tail(BoneState& state) {
  const double rest = distance(state.head, state.tail);
  const bool is_there =
      distance(transform_point(state.matrix, state.tail), state.posed_tail) <= 1e-9 * rest;
  if (is_there) return;
  const Vec3 u = normalized(state.tail - state.head);
  const double factor = distance(state.posed_head, state.posed_tail) / rest;
  const Mat3 flat = Mat3{} - along(u, 1);
  state.turn = state.rotation;
  state.stretch = flat * state.stretch * flat + along(u, factor);
  const Mat3 linear = to_matrix(state.turn) * state.stretch;
  state.matrix = {linear, state.posed_head - linear * state.head};
}

}  // namespace

Vec3 stretch_vector(const BoneState& bone) {
  const Vec3 rest = bone.tail - bone.head;
  return rest * (distance(bone.posed_head, bone.posed_tail) / length(rest) - 1);
}

std::vector<BoneState> bone_states(const Skeleton& skeleton, std::span<const BonePose> poses,
                                   const StateOptions& options, double tolerance) {
  if (poses.size() != skeleton.bones.size()) {
    throw InputError("bones", formatted("the pose has {} bones, the skeleton has {}", poses.size(),
                                        skeleton.bones.size()));
  }
  std::vector<BoneState> states;
  states.reserve(poses.size());
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const BonePose& pose = poses[b];
    const std::string place = formatted("/bones/{}", b);
    if (!is_finite(pose)) throw InputError(place, "its numbers are not all finite");
    const Vec3 u = bind_direction(skeleton.bones[b]);
    const Vec3 posed = pose.end - pose.start;
    BoneState state;
    state.head = skeleton.bones[b].head;
    state.tail = skeleton.bones[b].tail;
    state.posed_head = pose.start;
    state.posed_tail = pose.end;
    state.twist_head = pose.twist_start;
    state.twist_tail = pose.twist_end;
    const bool has_direction = length(posed) > 0;
    const Vec3 direction = normalized(posed, u);
    if (pose.rotation) {
      if (std::fabs(dot(*pose.rotation, *pose.rotation) - 1) > 1e-2) {
        throw InputError(place, "its rotation is not a unit quaternion (x, y, z, w)");
      }
      state.rotation = normalized(*pose.rotation);
      const Vec3 image = rotate(state.rotation, u);
      const double off = std::atan2(length(cross(image, direction)), dot(image, direction));
      if (has_direction && off > tolerance) {
        throw InputError(place,
                         formatted("its rotation misses the direction from start to end by {} "
                                   "degrees; leave it out to get the smallest one that fits",
                                   significant(degrees(off), 4)));
      }
      // What the tolerance let through is turned away, so that b goes to b' exactly.
      if (has_direction) state.rotation = rotation_between(image, direction) * state.rotation;
    } else {
      state.rotation = rotation_between(u, direction);
    }
    const double factor = length(posed) / distance(state.head, state.tail);
    const Mat3 scaled_linear = to_matrix(state.rotation) * (Mat3{} + along(u, factor - 1));
    state.matrix = {scaled_linear, pose.start - scaled_linear * state.head};
    state.turn = state.rotation;
    if (options.same_intent) turn_by_mean_twist(state);
    if (options.squash) squash(state);
    states.push_back(state);
  }
  const std::vector<int> parents = parent_bones(skeleton);
  for (std::size_t b = 0; b < states.size(); ++b) {
    if (parents[b] < 0) continue;
    const BoneState& above = states[parents[b]];
    const Quat turned = conjugate(above.rotation) * states[b].rotation;
    states[b].own_twist = TwistTracker().follow(0, turned, bind_direction(skeleton.bones[b]));
    if (!options.same_intent) continue;
    // End twists count in full turns, which rotations do not show.
    states[b].own_twist += (states[b].twist_head + states[b].twist_tail) / 2 -
                           (above.twist_head + above.twist_tail) / 2;
  }
  return states;
}

std::vector<BoneState> bone_states(const Rig& rig, const Pose& pose, TwistTracker& twists,
                                   const StateOptions& options) {
  return bone_states(rig, bone_links(rig), pose, twists, options);
}

std::vector<BoneState> bone_states(const Rig& rig, std::span<const BoneLinks> links,
                                   const Pose& pose, TwistTracker& twists,
                                   const StateOptions& options) {
  const Skeleton& skeleton = rig.skeleton;
  if (links.size() != skeleton.bones.size()) {
    throw UsageError(formatted("the links are of {} bones, the rig has {}", links.size(),
                               skeleton.bones.size()));
  }
  const std::vector<Affine> globals = forward_kinematics(skeleton, pose.joints);
  const std::vector<Affine> maps = bone_maps(skeleton, globals);
  std::vector<BoneState> states(maps.size());
  for (std::size_t b = 0; b < maps.size(); ++b) {
    const Bone& bone = skeleton.bones[b];
    BoneState& state = states[b];
    state.head = bone.head;
    state.tail = bone.tail;
    state.matrix = maps[b];
    state.turn = nearest_rotation(maps[b].linear);
    state.stretch = to_matrix(conjugate(state.turn)) * maps[b].linear;
    state.posed_head = transform_point(maps[b], bone.head);
    const std::size_t carrier = links[b].tail_carrier;
    state.posed_tail = transform_point(maps[carrier], bone.tail);
    const Vec3 u = bind_direction(bone);
    if (links[b].end != no_joint) {
      const Affine end = globals[links[b].end] * end_inverse_bind(skeleton, bone, links[b].end);
      state.posed_tail = transform_point(end, bone.tail);
      const Quat turned = conjugate(state.turn) * nearest_rotation(end.linear);
      state.twist_tail = links[b].next_share * twists.follow(2 * maps.size() + b, turned, u);
    }
    const Vec3 image = rotate(state.turn, u);
    const Vec3 posed = normalized(state.posed_tail - state.posed_head, image);
    state.rotation = rotation_between(image, posed) * state.turn;
    const Mat3 flat = Mat3{} - along(u, 1);
    state.across = along(u, 1) + flat * state.stretch * flat;
    if (options.squash) squash(state);
  }

  for (std::size_t b = 0; b < maps.size(); ++b) {
    if (links[b].parent < 0) continue;
    const std::size_t p = links[b].parent;
    const Quat turned = conjugate(states[p].turn) * states[b].turn;
    const Vec3 own_axis = bind_direction(skeleton.bones[b]);
    states[b].own_twist = twists.follow(2 * b, turned, own_axis);
    states[b].twist_head = -links[b].own_share * states[b].own_twist;
    if (links[p].next != static_cast<int>(b)) continue;
    const Vec3 axis = bind_direction(skeleton.bones[p]);
    states[p].twist_tail = links[p].next_share * twists.follow(2 * b + 1, turned, axis);
  }
  if (options.same_intent) std::for_each(states.begin(), states.end(), scale_to_tail);
  return states;
}

ClipStates::ClipStates(const Rig& rig, const Clip& clip, const StateOptions& options)
    : rig_(rig),
      clip_(clip),
      links_(bone_links(rig)),
      options_(options),
      duration_(duration(clip)) {}

std::vector<BoneState> ClipStates::at(double time) {
  if (std::isnan(time)) throw UsageError("the time in a clip must be a number of seconds");
  // Steps short enough that no joint of a sane animation turns by half a turn in one of them.
  constexpr double steps_per_second = 60;
  // A clip of absurd length is followed for its first hours only.
  constexpr double longest = 1e4;
  const double end = std::clamp(time, 0.0, std::min(duration_, longest));
  if (next_step_ > 0 && double(next_step_ - 1) / steps_per_second >= end) {
    twists_ = {};
    next_step_ = 0;
  }
  for (; double(next_step_) / steps_per_second < end; ++next_step_) {
    bone_states(rig_, links_, pose_at(rig_, clip_, double(next_step_) / steps_per_second), twists_);
  }
  TwistTracker now = twists_;
  return bone_states(rig_, links_, pose_at(rig_, clip_, time), now, options_);
}

void accumulate_twists(const BoneTree& tree, std::span<const BoneState> states,
                       std::span<double> out) {
  if (states.size() != tree.order.size() || out.size() != tree.order.size()) {
    throw UsageError(formatted("{} states and room for {} twists of {} bones", states.size(),
                               out.size(), tree.order.size()));
  }
  for (const int bone : tree.order) {
    const std::size_t b = bone;
    const int parent = tree.parents[b];
    out[b] = states[b].own_twist + (parent < 0 ? 0.0 : out[parent]);
  }
}

}  // namespace sinew
