// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/bone_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/math.h"
#include "sinew/deform/muscles.h"
#include "sinew/deform/twist.h"

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

// Rotates the bone by the mean of its end twists, the best that a bone without twist can do.
void turn_by_mean_twist(BoneState& state) {
  const Vec3 u = normalized(state.tail - state.head);
  const Quat twist = rotation_about(u, (state.twist_head + state.twist_tail) / 2);
  state.turn = state.turn * twist;
  const Mat3 linear = state.matrix.linear * to_matrix(twist);
  state.matrix = {linear, transform_point(state.matrix, state.head) - linear * state.head};
}

}  // namespace

Vec3 stretch_vector(const BoneState& bone) {
  const Vec3 rest = bone.tail - bone.head;
  return rest * (distance(bone.posed_head, bone.posed_tail) / length(rest) - 1);
}

double stretch_factor(const BoneState& bone) {
  return distance(bone.posed_head, bone.posed_tail) / distance(bone.head, bone.tail);
}

void squash(BoneState& state) {
  const Mat3 axis = along(normalized(state.tail - state.head), 1);
  state.across =
      axis + (state.across - axis) * (1 / std::sqrt(std::max(stretch_factor(state), 1e-6)));
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
      const double off = math::atan2(length(cross(image, direction)), dot(image, direction));
      if (has_direction && off > tolerance) {
        throw InputError(place,
                         formatted("its rotation misses the direction from start to end by {} "
                                   "degrees; leave it out to get the smallest one that fits",
                                   significant(degrees(off), 4)));
      }
      // Remove the deviation within the tolerance, so that b goes to b' exactly.
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
  const std::vector<BoneIndex> parents = parent_bones(skeleton);
  for (std::size_t b = 0; b < states.size(); ++b) {
    if (parents[b] < 0) continue;
    const BoneState& above = states[parents[b]];
    const Quat turned = conjugate(above.rotation) * states[b].rotation;
    double angle = no_twist;
    states[b].own_twist = follow_twist(angle, turned, bind_direction(skeleton.bones[b]));
    if (!options.same_intent) continue;
    // End twists include full turns, which rotations cannot represent.
    states[b].own_twist += (states[b].twist_head + states[b].twist_tail) / 2 -
                           (above.twist_head + above.twist_tail) / 2;
  }
  return states;
}

std::vector<BoneState> bone_states(const Rig& rig, std::span<const BonePose> poses,
                                   const StateOptions& options, double tolerance) {
  const Skeleton& skeleton = rig.skeleton;
  std::vector<BoneState> states = bone_states(skeleton, poses, options, tolerance);
  if (!has_muscles(rig.skin)) return states;
  const std::vector<BoneIndex> parents = parent_bones(skeleton);
  const auto turn_of = [&](MuscleAngle angle) {
    const auto bone = std::find_if(skeleton.bones.begin(), skeleton.bones.end(),
                                   [&](const Bone& b) { return b.joint == angle.joint; });
    if (bone == skeleton.bones.end()) return 0.0;
    const auto b = static_cast<std::size_t>(bone - skeleton.bones.begin());
    const Quat above = parents[b] < 0 ? Quat{} : states[parents[b]].rotation;
    // Rotations of bones are in mesh space.
    if (angle.axis) angle.axis = inverse(bone->inverse_bind).linear * *angle.axis;
    return muscle_angle(angle, conjugate(above) * states[b].rotation);
  };
  for (std::size_t b = 0; b < states.size(); ++b) {
    const Muscle& muscle = rig.skin.muscles[b];
    if (muscle.is_none()) continue;
    states[b].bulge = muscle_drive(muscle, options.squash ? 1 : stretch_factor(states[b]),
                                   muscle.angle ? turn_of(*muscle.angle) : 0);
  }
  return states;
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
