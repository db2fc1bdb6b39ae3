// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/bone_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/bones.h"

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

bool is_frame(const Skeleton& skeleton, int joint) {
  return skeleton.joints[static_cast<std::size_t>(joint)].is_frame;
}

// The bones of each joint of the skeleton proper. Frames carry rigid meshes: nothing hangs on them.
std::vector<std::vector<int>> bones_by_joint(const Skeleton& skeleton) {
  std::vector<std::vector<int>> bones(skeleton.joints.size());
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const int joint = skeleton.bones[b].joint;
    if (!is_frame(skeleton, joint)) {
      bones[static_cast<std::size_t>(joint)].push_back(static_cast<int>(b));
    }
  }
  return bones;
}

bool is_at_tail(const Bone& bone, const Vec3& point) {
  return distance(point, bone.tail) <= 1e-6 * distance(bone.head, bone.tail);
}

// What carries the bone's tail: the bone of the joint that it points to, where that starts at the
// tail; otherwise (a tail of its own, or one that was put elsewhere) the bone itself.
std::size_t tail_carrier(const Skeleton& skeleton, const std::vector<std::vector<int>>& bones_of,
                         std::size_t b) {
  const Bone& bone = skeleton.bones[b];
  if (bone.tail_joint == no_joint || is_frame(skeleton, bone.joint)) return b;
  for (const int next : bones_of[static_cast<std::size_t>(bone.tail_joint)]) {
    if (is_at_tail(bone, skeleton.bones[static_cast<std::size_t>(next)].head)) {
      return static_cast<std::size_t>(next);
    }
  }
  return b;
}

// The frame that the bone points to, hanging on its joint and standing at its tail.
int end_of(const Skeleton& skeleton, const Bone& bone) {
  const int end = bone.tail_joint;
  if (end == no_joint || is_frame(skeleton, bone.joint) || !is_frame(skeleton, end) ||
      skeleton.joints[static_cast<std::size_t>(end)].parent != bone.joint) {
    return no_joint;
  }
  const Vec3 place = inverse(end_inverse_bind(skeleton, bone, end)).translation;
  return is_at_tail(bone, place) ? end : no_joint;
}

// Bones squeezed to nothing would grow without end across: they stop at a thousandfold.
void squash(BoneState& state) {
  const Vec3 rest = state.tail - state.head;
  const double factor = distance(state.posed_head, state.posed_tail) / length(rest);
  const Mat3 axis = along(normalized(rest), 1);
  state.across = axis + (state.across - axis) * (1 / std::sqrt(std::max(factor, 1e-6)));
}

}  // namespace

Vec3 stretch_vector(const BoneState& bone) {
  const Vec3 rest = bone.tail - bone.head;
  return rest * (distance(bone.posed_head, bone.posed_tail) / length(rest) - 1);
}

std::vector<BoneState> bone_states(const Skeleton& skeleton, std::span<const BonePose> poses,
                                   const StateOptions& options, double tolerance) {
  if (poses.size() != skeleton.bones.size()) {
    throw InputError("bones", fmt::format("the pose has {} bones, the skeleton has {}",
                                          poses.size(), skeleton.bones.size()));
  }
  std::vector<BoneState> states;
  states.reserve(poses.size());
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const BonePose& pose = poses[b];
    const std::string place = fmt::format("/bones/{}", b);
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
        throw InputError(
            place, fmt::format("its rotation misses the direction from start to end by {:.4g} "
                               "degrees; leave it out to get the smallest one that fits",
                               degrees(off)));
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
    if (options.squash) squash(state);
    states.push_back(state);
  }
  const std::vector<int> parents = parent_bones(skeleton);
  for (std::size_t b = 0; b < states.size(); ++b) {
    if (parents[b] < 0) continue;
    const Quat& above = states[static_cast<std::size_t>(parents[b])].turn;
    states[b].own_twist =
        twist_angle(conjugate(above) * states[b].turn, bind_direction(skeleton.bones[b]));
  }
  return states;
}

double TwistTracker::unwrap(std::size_t slot, double angle) {
  if (slot >= last_.size()) last_.resize(slot + 1);
  if (last_[slot]) angle += 2 * pi * std::round((*last_[slot] - angle) / (2 * pi));
  last_[slot] = angle;
  return angle;
}

std::vector<int> parent_bones(const Skeleton& skeleton) {
  require_joints_of_bones(skeleton);
  const auto bones_of = bones_by_joint(skeleton);
  std::vector<int> parents(skeleton.bones.size(), -1);
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Bone& bone = skeleton.bones[b];
    if (is_frame(skeleton, bone.joint)) continue;
    int joint = skeleton.joints[static_cast<std::size_t>(bone.joint)].parent;
    while (joint != no_joint && bones_of[static_cast<std::size_t>(joint)].empty()) {
      joint = skeleton.joints[static_cast<std::size_t>(joint)].parent;
    }
    if (joint == no_joint) continue;
    // Several bones on one joint: of a list of segments, or of several skins, which may be bound
    // at different places. Those that point here come first, then the nearest.
    const auto key = [&](int p) {
      const Bone& above = skeleton.bones[static_cast<std::size_t>(p)];
      return std::pair(above.tail_joint != bone.joint, distance(above.tail, bone.head));
    };
    const std::vector<int>& above = bones_of[static_cast<std::size_t>(joint)];
    parents[b] = *std::min_element(above.begin(), above.end(),
                                   [&](int p, int q) { return key(p) < key(q); });
  }
  return parents;
}

std::vector<BoneLinks> bone_links(const Skeleton& skeleton) {
  const std::vector<int> parents = parent_bones(skeleton);
  const auto bones_of = bones_by_joint(skeleton);
  std::vector<BoneLinks> links(skeleton.bones.size());
  for (std::size_t b = 0; b < links.size(); ++b) {
    links[b].parent = parents[b];
    links[b].tail_carrier = static_cast<int>(tail_carrier(skeleton, bones_of, b));
    links[b].end = end_of(skeleton, skeleton.bones[b]);
    if (links[b].end != no_joint) links[b].next_share = 1;
    if (parents[b] < 0) continue;
    const auto p = static_cast<std::size_t>(parents[b]);
    const int joint = skeleton.bones[b].joint;
    const bool is_next = skeleton.bones[p].tail_joint == joint;
    const double share =
        is_next ? skeleton.joints[static_cast<std::size_t>(joint)].twist_share : 0.0;
    links[b].own_share = 1 - share;
    if (!is_next) continue;
    links[p].next = static_cast<int>(b);
    links[p].next_share = share;
  }
  return links;
}

Affine end_inverse_bind(const Skeleton& skeleton, const Bone& bone, int end) {
  if (end < 0 || static_cast<std::size_t>(end) >= skeleton.joints.size()) {
    throw UsageError(
        fmt::format("there is no joint {}; there are {}", end, skeleton.joints.size()));
  }
  const Transform& rest = skeleton.joints[static_cast<std::size_t>(end)].rest;
  return inverse(to_affine(rest)) * bone.inverse_bind;
}

std::vector<BoneState> bone_states(const Rig& rig, const Pose& pose, TwistTracker& twists,
                                   const StateOptions& options) {
  const Skeleton& skeleton = rig.skeleton;
  const std::vector<Affine> globals = forward_kinematics(skeleton, pose.joints);
  const std::vector<Affine> maps = bone_maps(skeleton, globals);
  const std::vector<BoneLinks> links = bone_links(skeleton);
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
    const auto carrier = static_cast<std::size_t>(links[b].tail_carrier);
    state.posed_tail = transform_point(maps[carrier], bone.tail);
    const Vec3 u = bind_direction(bone);
    if (links[b].end != no_joint) {
      const Affine end = globals[static_cast<std::size_t>(links[b].end)] *
                         end_inverse_bind(skeleton, bone, links[b].end);
      state.posed_tail = transform_point(end, bone.tail);
      const Quat turned = conjugate(state.turn) * nearest_rotation(end.linear);
      state.twist_tail =
          links[b].next_share * twists.unwrap(2 * maps.size() + b, twist_angle(turned, u));
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
    const auto p = static_cast<std::size_t>(links[b].parent);
    const Quat turned = conjugate(states[p].turn) * states[b].turn;
    const Vec3 own_axis = bind_direction(skeleton.bones[b]);
    states[b].own_twist = twists.unwrap(2 * b, twist_angle(turned, own_axis));
    states[b].twist_head = -links[b].own_share * states[b].own_twist;
    if (links[p].next != static_cast<int>(b)) continue;
    const Vec3 axis = bind_direction(skeleton.bones[p]);
    states[p].twist_tail =
        links[p].next_share * twists.unwrap(2 * b + 1, twist_angle(turned, axis));
  }
  return states;
}

ClipStates::ClipStates(const Rig& rig, const Clip& clip, const StateOptions& options)
    : rig_(rig), clip_(clip), options_(options), duration_(duration(clip)) {}

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
    bone_states(rig_, pose_at(rig_, clip_, double(next_step_) / steps_per_second), twists_);
  }
  TwistTracker now = twists_;
  return bone_states(rig_, pose_at(rig_, clip_, time), now, options_);
}

BoneTree bone_tree(const Skeleton& skeleton) {
  BoneTree tree{parent_bones(skeleton), {}};
  std::vector<bool> listed(tree.parents.size(), false);
  std::vector<int> chain;
  for (std::size_t b = 0; b < tree.parents.size(); ++b) {
    for (int p = static_cast<int>(b); p >= 0 && !listed[static_cast<std::size_t>(p)];
         p = tree.parents[static_cast<std::size_t>(p)]) {
      listed[static_cast<std::size_t>(p)] = true;
      chain.push_back(p);
    }
    tree.order.insert(tree.order.end(), chain.rbegin(), chain.rend());
    chain.clear();
  }
  return tree;
}

void accumulate_twists(const BoneTree& tree, std::span<const BoneState> states,
                       std::span<double> out) {
  if (states.size() != tree.order.size() || out.size() != tree.order.size()) {
    throw UsageError(fmt::format("{} states and room for {} twists of {} bones", states.size(),
                                 out.size(), tree.order.size()));
  }
  for (const int bone : tree.order) {
    const auto b = static_cast<std::size_t>(bone);
    const int parent = tree.parents[b];
    out[b] = states[b].own_twist + (parent < 0 ? 0.0 : out[static_cast<std::size_t>(parent)]);
  }
}

}  // namespace sinew
