// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/detail/ik_data.h"

namespace sinew::motion {
namespace {

bool is_singular(const Mat3& m) { return determinant(m) == 0; }

// Keeps a joint's rotation in the world after its parent's frame has changed from `before`.
void hold_rotation(IkData& ik, JointIndex joint, const Mat3& before) {
  const Mat3 now = parent_frame(ik, joint);
  if (is_singular(now)) return;
  Quat& rotation = ik.locals[joint].rotation;
  rotation = normalized(to_transform({inverse(now) * before, {}}).rotation * rotation);
}

// Moves a joint to a place in the world.
void put(IkData& ik, JointIndex joint, const Vec3& place) {
  const JointIndex parent = ik.parents[joint];
  const Affine frame = parent == no_joint ? Affine{} : ik.globals[parent];
  if (is_singular(frame.linear)) return;
  ik.locals[joint].translation = transform_point(inverse(frame), place);
}

// Turns a joint so that what was at `from` is seen in the direction of `to`, the shortest way.
void turn_towards(IkData& ik, JointIndex joint, const Vec3& from, const Vec3& to) {
  const Vec3 none;
  if (from == none || to == none || ik.locked[joint]) return;
  const Quat turn = rotation_between(normalized(from), normalized(to));
  Quat& rotation = ik.locals[joint].rotation;
  rotation = normalized(in_frame(turn, parent_frame(ik, joint)) * rotation);
  update_joint(ik, joint);
}

}  // namespace

void drag(IkData& ik, int handle_index) {
  const PlannedHandle& handle = ik.handles[handle_index];
  const JointIndex joint = handle.asked.joint, parent = handle.turned_parent;
  const Vec3 from = ik.globals[joint].translation, to = ik.positions[handle_index];
  if (from == to) return;
  if (parent != no_joint) {
    const Vec3 root = ik.globals[parent].translation;
    const Mat3 before = ik.globals[parent].linear;
    turn_towards(ik, parent, from - root, to - root);
    for (const JointIndex child : ik.children[parent]) {
      // What a sibling carries is no part of the bone that turns; a sibling that carries nothing
      // is a helper on it.
      if (child != joint && ik.children[child].empty()) continue;
      if (child != joint || handle.children_stay) hold_rotation(ik, child, before);
      if (child != joint) put(ik, child, ik.globals[child].translation);
    }
  }
  put(ik, joint, to);
  if (handle.children_stay) {
    const Mat3 before = ik.globals[joint].linear;
    update_joint(ik, joint);
    if (handle.tail != no_joint) {
      const Vec3 tail = ik.globals[handle.tail].translation;
      turn_towards(ik, joint, tail - from, tail - to);
    }
    for (const JointIndex child : ik.children[joint]) {
      hold_rotation(ik, child, before);
      put(ik, child, ik.globals[child].translation);
    }
  }
  update_below(ik, parent != no_joint ? parent : joint);
}

}  // namespace sinew::motion
