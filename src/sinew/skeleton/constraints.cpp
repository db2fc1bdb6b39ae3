// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/constraints.h"

#include <cstddef>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

Quat followed(const JointConstraint& constraint, const Quat& rest, const Quat& source_rest,
              const Quat& source) {
  if (constraint.kind == JointConstraint::Kind::copy) {
    return slerp(rest, rest * (conjugate(source_rest) * source), constraint.weight);
  }
  Vec3 axis;
  axis[constraint.axis] = 1;
  const Quat turned = conjugate(rest) * (source * conjugate(source_rest)) * rest;
  const Quat swing = rotation_between(axis, rotate(turned, axis));
  return slerp(rest, rest * conjugate(swing) * turned, constraint.weight);
}

void require(const Skeleton& skeleton, std::span<const JointConstraint> constraints,
             std::size_t places) {
  const std::size_t joints = skeleton.joints.size();
  if (places != joints) {
    throw UsageError(formatted("the pose has {} joints, the skeleton has {}", places, joints));
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const JointConstraint& c = constraints[i];
    for (const int joint : {c.joint, c.source}) {
      if (joint >= 0 && static_cast<std::size_t>(joint) < joints) continue;
      throw UsageError(
          formatted("constraint {} names joint {}, but there are {}", i, joint, joints));
    }
    if (c.axis < 0 || c.axis > 2) {
      throw UsageError(formatted("constraint {} turns about axis {}; it is 0, 1 or 2", i, c.axis));
    }
  }
}

}  // namespace

void apply_constraints(const Skeleton& skeleton, std::span<const JointConstraint> constraints,
                       std::span<Transform> locals) {
  require(skeleton, constraints, locals.size());
  std::vector<bool> is_open(skeleton.joints.size(), false);
  for (const JointConstraint& c : constraints) is_open[c.joint] = true;
  for (bool any = true; any;) {
    any = false;
    for (const JointConstraint& c : constraints) {
      const std::size_t joint = c.joint;
      const std::size_t source = c.source;
      if (!is_open[joint] || is_open[source]) continue;
      locals[joint].rotation =
          followed(c, skeleton.joints[joint].rest.rotation, skeleton.joints[source].rest.rotation,
                   locals[source].rotation);
      is_open[joint] = false;
      any = true;
    }
  }
}

}  // namespace sinew
