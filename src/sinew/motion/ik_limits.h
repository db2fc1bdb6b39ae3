// SPDX-License-Identifier: Apache-2.0
// How far joints turn.
#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "sinew/core/quat.h"
#include "sinew/skeleton/indices.h"

namespace sinew {

// Limits are on the rotation r of a joint relative to rest, local = rest * r, in radians.
//
// At most `swing` away from rest, and a twist in [twist_min, twist_max] about the axis, with
// r = swing * twist. `axis` is a unit vector in the joint's own frame, along its bone as a rule.
struct ConeLimit {
  Vec3 axis{0, 1, 0};
  double swing = pi;
  double twist_min = -pi, twist_max = pi;
  friend bool operator==(const ConeLimit&, const ConeLimit&) = default;
};
// Turns about one axis (a unit vector in the joint's own frame) only: an elbow, a knee.
struct HingeLimit {
  Vec3 axis{1, 0, 0};
  double min = -pi, max = pi;
  friend bool operator==(const HingeLimit&, const HingeLimit&) = default;
};
// Each component of the rotation vector of r in a range.
struct AxesLimit {
  Vec3 min{-pi, -pi, -pi}, max{pi, pi, pi};
  friend bool operator==(const AxesLimit&, const AxesLimit&) = default;
};
// One of the three.
using JointRange = std::variant<ConeLimit, HingeLimit, AxesLimit>;

// A joint and what its rotation is limited to. Every range contains the rest pose.
struct IkLimit {
  JointIndex joint = no_joint;
  JointRange range;
  friend bool operator==(const IkLimit&, const IkLimit&) = default;
};

// The nearest rotation that a limit allows: the swing, the twist, the angle or the components are
// each clamped to their range. A rotation within the range is returned as it is, bit for bit.
// `turn` is relative to rest, a unit quaternion.
Quat clamped(const Quat& turn, const JointRange& range);

// Throws UsageError for an axis that is not of unit length, and for a range that is not within half
// a turn either way or does not contain the rest pose (0).
void require_valid(const JointRange& range);

// Throws InputError naming the first that is as above, of a joint that does not exist, or the
// second of one joint.
void validate(std::span<const IkLimit> limits, std::size_t joint_count);

// The limits of a rig, with those of joints in `given` replaced by these.
std::vector<IkLimit> overruled(std::vector<IkLimit> limits, std::span<const IkLimit> given);

}  // namespace sinew
