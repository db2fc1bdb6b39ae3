// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/told_pose.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/deform/bone_tree.h"
#include "sinew/deform/twist.h"
#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

Vec3 scaled(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

// From head to tail in the frame of the bone's own joint at bind.
Vec3 vector_at_bind(const Bone& bone) { return bone.inverse_bind.linear * (bone.tail - bone.head); }

// A joint's place in the frame of another, in the rest pose.
Vec3 rest_place(const Skeleton& skeleton, std::span<const Affine> rest, JointIndex joint,
                JointIndex frame) {
  // Exact for children, whatever the frames above.
  if (skeleton.joints[joint].parent == frame) return skeleton.joints[joint].rest.translation;
  return transform_point(inverse(rest[frame]), rest[joint].translation);
}

}  // namespace

std::vector<Vec3> twist_axes(const Skeleton& skeleton) {
  require_joints_of_bones(skeleton);
  const std::vector<Affine> rest = rest_globals(skeleton);
  const std::vector<BoneIndex> carriers = tail_carriers(skeleton);
  std::vector<Vec3> axes(skeleton.joints.size());
  std::vector<Vec3> from_above(skeleton.joints.size());
  const auto enter = [&](std::vector<Vec3>& list, JointIndex joint, const Vec3& vector) {
    if (list[joint] != Vec3{} || !is_finite(vector)) return;
    list[joint] = normalized(scaled(skeleton.joints[joint].rest.scale, vector), Vec3{});
  };
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Bone& bone = skeleton.bones[b];
    const bool follows = carriers[b] != BoneIndex(b) || end_frame(skeleton, bone) != no_joint;
    const Vec3 vector =
        follows ? rest_place(skeleton, rest, bone.tail_joint, bone.joint) : vector_at_bind(bone);
    enter(axes, bone.joint, vector);
    if (bone.tail_joint == no_joint) continue;
    enter(from_above, bone.tail_joint,
          inverse(rest[bone.tail_joint].linear) * (rest[bone.joint].linear * vector));
  }
  for (std::size_t j = 0; j < axes.size(); ++j) {
    if (axes[j] == Vec3{}) axes[j] = from_above[j];
  }
  return axes;
}

bool is_driven(const Rig& rig, JointIndex joint) {
  return std::any_of(rig.drivers.begin(), rig.drivers.end(),
                     [&](const Driver& driver) { return driver.joint == joint; });
}

PoseTeller::PoseTeller(const Skeleton& skeleton)
    : skeleton_(skeleton),
      children_(children_of(skeleton)),
      rest_(rest_globals(skeleton)),
      axes_(twist_axes(skeleton)),
      bones_(skeleton.joints.size()) {
  const std::vector<BoneIndex> carriers = tail_carriers(skeleton);
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Bone& bone = skeleton.bones[b];
    const bool follows = carriers[b] != BoneIndex(b) || end_frame(skeleton, bone) != no_joint;
    const bool is_below = follows && hangs_from(bone.tail_joint, bone.joint);
    bones_[bone.joint].push_back(
        is_below
            ? RestBone{rest_place(skeleton, rest_, bone.tail_joint, bone.joint), bone.tail_joint}
            : RestBone{vector_at_bind(bone), no_joint});
  }
}

void PoseTeller::require_fits(const Pose& pose, JointIndex joint) const {
  if (!has_joint(skeleton_, joint)) {
    throw UsageError(formatted("there is no joint {}; there are {}", joint, children_.size()));
  }
  if (pose.joints.size() != children_.size()) {
    throw UsageError(
        formatted("the pose has {} joints, the rig {}", pose.joints.size(), children_.size()));
  }
}

bool PoseTeller::hangs_from(JointIndex joint, JointIndex ancestor) const {
  while (joint != no_joint && joint != ancestor) joint = skeleton_.joints[joint].parent;
  return joint == ancestor;
}

void PoseTeller::turn(ToldPose& pose, JointIndex joint, std::span<const ToldBend> bends,
                      double twist) const {
  require_fits(pose, joint);
  const auto refuse = [&](const char* problem) {
    throw InputError(describe_joint(skeleton_, joint), problem);
  };
  Quat rotation = pose.joints[joint].rotation;
  for (auto bend = bends.rbegin(); bend != bends.rend(); ++bend) {
    const Vec3 axis = normalized(bend->axis, Vec3{});
    if (axis == Vec3{} || !is_finite(bend->axis)) refuse("the axis of a bend must have a length");
    if (!(std::fabs(bend->angle) <= largest_twist)) refuse("a bend is at most a hundred turns");
    if (bend->angle != 0) rotation = rotation * rotation_about(axis, bend->angle);
  }
  if (!(std::fabs(twist) <= largest_twist)) refuse("a twist is at most a hundred turns");
  if (twist != 0) {
    const Vec3& axis = axes_[joint];
    if (axis == Vec3{}) refuse("no bone starts or ends at it, so it has no axis to twist about");
    const auto told = std::find_if(pose.twists.begin(), pose.twists.end(),
                                   [&](const ToldTwist& t) { return t.joint == joint; });
    const bool is_told = told != pose.twists.end();
    const double before =
        nearest_turn(twist_angle(conjugate(skeleton_.joints[joint].rest.rotation) * rotation, axis),
                     is_told ? told->angle : no_twist);
    const double after = before + twist;
    if (!(std::fabs(after) <= largest_twist)) refuse("a twist is at most a hundred turns");
    if (is_told) {
      told->angle = after;
    } else {
      pose.twists.push_back({joint, after});
    }
    rotation = rotation * rotation_about(axis, twist);
  }
  pose.joints[joint].rotation = rotation;
}

void PoseTeller::stretch(ToldPose& pose, JointIndex joint, double factor) const {
  require_fits(pose, joint);
  const std::string place = describe_joint(skeleton_, joint);
  if (!(factor > 0 && factor <= largest_stretch)) {
    throw InputError(place, "a stretch is a factor above 0, at most a million; 1 is as at rest");
  }
  if (factor == 1) return;
  if (bones_[joint].empty()) {
    throw InputError(place, "no bone starts at it that could be stretched");
  }
  bool has_free_tail = false;
  for (const RestBone& bone : bones_[joint]) {
    stretch_to(pose, joint, joint, bone, factor);
    has_free_tail |= bone.tail_joint == no_joint;
  }
  if (!has_free_tail) return;
  const auto told = std::find_if(pose.tails.begin(), pose.tails.end(),
                                 [&](const TailStretch& t) { return t.joint == joint; });
  if (told != pose.tails.end()) {
    told->factor *= factor;
  } else {
    pose.tails.push_back({joint, factor});
  }
}

// Moves the children of `node`, which is the bone's joint or lies between it and the bone's tail.
void PoseTeller::stretch_to(Pose& pose, JointIndex joint, JointIndex node, const RestBone& bone,
                            double factor) const {
  const double squared = dot(bone.vector, bone.vector);
  if (!(squared > 0)) return;
  const auto share_at = [&](JointIndex j) {
    if (j == joint) return 0.0;
    const Vec3 place = rest_place(skeleton_, rest_, j, joint);
    return std::clamp(dot(place, bone.vector) / squared, 0.0, 1.0);
  };
  const bool is_first = &bone == &bones_[joint].front();
  for (const JointIndex child : children_[node]) {
    const bool leads_to_tail = bone.tail_joint != no_joint && hangs_from(bone.tail_joint, child);
    // What hangs from a joint with several bones moves along with the one that leads to it, or with
    // the first.
    const bool is_others =
        std::any_of(bones_[joint].begin(), bones_[joint].end(), [&](const RestBone& other) {
          return &other != &bone && other.tail_joint != no_joint &&
                 hangs_from(other.tail_joint, child);
        });
    if (!leads_to_tail && (is_others || !is_first)) continue;
    const double share = (child == bone.tail_joint ? 1.0 : share_at(child)) - share_at(node);
    const Vec3 moved = bone.vector * ((factor - 1) * share);
    pose.joints[child].translation =
        pose.joints[child].translation +
        (node == joint ? moved : inverse(rest_[node].linear) * (rest_[joint].linear * moved));
    if (leads_to_tail && child != bone.tail_joint) stretch_to(pose, joint, child, bone, factor);
  }
}

}  // namespace sinew
