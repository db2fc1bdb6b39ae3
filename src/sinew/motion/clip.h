// SPDX-License-Identifier: Apache-2.0
// Clips, which are named sets of curves that drive joints, blend shapes and controls; and poses.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sinew/core/affine.h"
#include "sinew/core/euler.h"
#include "sinew/motion/curve.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {

// Three angles in radians, each with its own keys, combined in `order`. A curve without keys is 0.
struct EulerCurves {
  EulerOrder order = EulerOrder::xyz;
  Curve<double> x, y, z;
  friend bool operator==(const EulerCurves&, const EulerCurves&) = default;
};

// Drives a joint's translation against its parent.
struct TranslationChannel {
  JointIndex joint = 0;
  Curve<Vec3> curve;
  friend bool operator==(const TranslationChannel&, const TranslationChannel&) = default;
};
// Drives a joint's rotation against its parent.
struct RotationChannel {
  JointIndex joint = 0;
  std::variant<Curve<Quat>, EulerCurves> curve;
  friend bool operator==(const RotationChannel&, const RotationChannel&) = default;
};
// Drives a joint's scale.
struct ScaleChannel {
  JointIndex joint = 0;
  Curve<Vec3> curve;
  friend bool operator==(const ScaleChannel&, const ScaleChannel&) = default;
};
// Drives the mesh's shapes first_shape, first_shape + 1, ..., one for each value of the curve's
// keys.
struct ShapeChannel {
  int first_shape = 0;
  Curve<std::vector<double>> curve;
  friend bool operator==(const ShapeChannel&, const ShapeChannel&) = default;
};
// Drives a free control of the rig (see generalized.h).
struct ControlChannel {
  int control = 0;
  Curve<double> curve;
  friend bool operator==(const ControlChannel&, const ControlChannel&) = default;
};

// A curve and what it drives.
using Channel =
    std::variant<TranslationChannel, RotationChannel, ScaleChannel, ShapeChannel, ControlChannel>;

// The joint that the channel drives; no_joint for shapes and controls.
JointIndex joint_of(const Channel& channel);

// An animation: what it does not drive stays at rest.
struct Clip {
  std::string name;
  std::vector<Channel> channels;
  friend bool operator==(const Clip&, const Clip&) = default;
};

// The time of the last key of any channel.
double duration(const Clip& clip);

// The state of a rig at one moment: each joint's transform relative to its parent, each blend
// shape's weight, each control's value.
struct Pose {
  std::vector<Transform> joints;
  std::vector<double> shapes;
  std::vector<double> controls;
  friend bool operator==(const Pose&, const Pose&) = default;
};

// Forward kinematics: each joint's frame in world space. `order` is evaluation_order(skeleton);
// `locals` and `globals` have one entry per joint. Throws UsageError if one of the three has the
// wrong length, or the order names a joint that does not exist. The overload without an order also
// throws InputError as evaluation_order().
void forward_kinematics(const Skeleton& skeleton, std::span<const JointIndex> order,
                        std::span<const Transform> locals, std::span<Affine> globals);
std::vector<Affine> forward_kinematics(const Skeleton& skeleton, std::span<const Transform> locals);

// Throws InputError with the given `place` if keys are out of order, arrays have different lengths,
// or values are not finite.
void validate(const Curve<double>& curve, const std::string& place);

// Throws InputError naming the channel that breaks a rule (keys out of order, a joint that does not
// exist, arrays of different lengths, values that are not finite).
void validate(const Clip& clip, const Skeleton& skeleton, int shape_count, int control_count);

}  // namespace sinew
