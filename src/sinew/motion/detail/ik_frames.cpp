// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sinew/motion/detail/ik_data.h"

namespace sinew::motion {
namespace {

// The local rotation of a joint whose frame in world space is to have the given rotation.
Quat local_rotation(const Mat3& parent, const Quat& world) {
  const Transform above = to_transform({parent, {}});
  Quat local = conjugate(above.rotation) * world;
  // A mirroring parent (negative x scale) turns the other way about y and z.
  if (above.scale.x < 0) local = {local.x, -local.y, -local.z, local.w};
  return local;
}

}  // namespace

void update_joint(IkData& ik, JointIndex joint) {
  const JointIndex parent = ik.parents[joint];
  if (ik.locked[joint]) {
    const int handle = ik.handle_of[joint];
    const double weight = ik.goals[handle].weight;
    Quat given = local_rotation(parent_frame(ik, joint), ik.rotations[handle]);
    if (weight < 1) given = slerp(ik.loose_rotations[handle], given, weight);
    Quat& rotation = ik.locals[joint].rotation;
    // What is there already keeps its bits.
    const Quat off = given * (dot(given, rotation) < 0 ? -1.0 : 1.0) + -rotation;
    if (dot(off, off) > 1e-28) rotation = normalized(given);
  }
  const Affine local = to_affine(ik.locals[joint]);
  ik.globals[joint] = parent == no_joint ? local : ik.globals[parent] * local;
}

void update_below(IkData& ik, JointIndex joint) {
  for (int i = ik.place[joint]; i < ik.subtree_end[joint]; ++i) update_joint(ik, ik.order[i]);
}

bool is_similarity(const Mat3& m) {
  const double x = length_squared(m.x), y = length_squared(m.y), z = length_squared(m.z);
  const double slack = 1e-9 * (x + y + z);
  return x > 0 && std::fabs(x - y) <= slack && std::fabs(x - z) <= slack &&
         std::fabs(dot(m.x, m.y)) <= slack && std::fabs(dot(m.y, m.z)) <= slack &&
         std::fabs(dot(m.z, m.x)) <= slack;
}

Quat in_frame(const Quat& world, const Mat3& frame) {
  const double side = determinant(frame) < 0 ? -1 : 1;
  const Vec3 v = transpose(frame) * world.vector() * (side / length(frame.x));
  return {v.x, v.y, v.z, world.w};
}

bool clamp_joint(IkData& ik, JointIndex joint) {
  const int limit = ik.limit_of[joint];
  if (limit < 0) return false;
  Quat& rotation = ik.locals[joint].rotation;
  const Quat turn = conjugate(ik.rest_rotations[joint]) * rotation;
  const Quat kept = clamped(turn, ik.clamps[limit]);
  if (kept == turn) return false;
  rotation = normalized(ik.rest_rotations[joint] * kept);
  return true;
}

int own_part(const IkData& ik, int handle) {
  const PlannedHandle& planned = ik.handles[handle];
  for (int k = int(planned.chain.size()); k-- > planned.own_from;) {
    if (ik.locked[planned.chain[k]]) return k + 1;
  }
  return planned.own_from;
}

bool has_own_part(const IkData& ik, int handle) {
  const std::vector<JointIndex>& chain = ik.handles[handle].chain;
  const int from = own_part(ik, handle);
  return from < int(chain.size()) &&
         std::all_of(chain.begin() + from, chain.end(),
                     [&](JointIndex joint) { return ik.limit_of[joint] < 0; });
}

}  // namespace sinew::motion
