// SPDX-License-Identifier: Apache-2.0
// Clips: named sets of curves that drive joints, blend shapes and controls; and the pose they make.
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
  int joint = 0;
  Curve<Vec3> curve;
  friend bool operator==(const TranslationChannel&, const TranslationChannel&) = default;
};
// Drives a joint's rotation against its parent.
struct RotationChannel {
  int joint = 0;
  std::variant<Curve<Quat>, EulerCurves> curve;
  friend bool operator==(const RotationChannel&, const RotationChannel&) = default;
};
// Drives a joint's scale.
struct ScaleChannel {
  int joint = 0;
  Curve<Vec3> curve;
  friend bool operator==(const ScaleChannel&, const ScaleChannel&) = default;
};
// Drives the shapes first_shape, first_shape + 1, ... of the mesh, as many as the curve has values.
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

// The joint that it drives; no_joint for shapes and controls.
int joint_of(const Channel& channel);

// An animation: what it does not drive stays at rest.
struct Clip {
  std::string name;
  std::vector<Channel> channels;
  friend bool operator==(const Clip&, const Clip&) = default;
};

// The time of the last key of any channel.
double duration(const Clip& clip);

// A moment: every joint's transform relative to its parent, every blend shape's weight, every
// control's value.
struct Pose {
  std::vector<Transform> joints;
  std::vector<double> shapes;
  std::vector<double> controls;
  friend bool operator==(const Pose&, const Pose&) = default;
};

// Forward kinematics: each joint's frame in world space (seed 004). `order` is
// evaluation_order(skeleton); `locals` and `globals` have one place per joint. Throws UsageError
// where one of the three has another length, or the order names a joint that does not exist; the
// other one also InputError as evaluation_order().
void forward_kinematics(const Skeleton& skeleton, std::span<const int> order,
                        std::span<const Transform> locals, std::span<Affine> globals);
std::vector<Affine> forward_kinematics(const Skeleton& skeleton, std::span<const Transform> locals);

// Throws InputError at `place` if keys are out of order, arrays have different lengths, or values
// are not finite.
void validate(const Curve<double>& curve, const std::string& place);

// Throws InputError naming the channel that breaks a rule (keys out of order, a joint that does not
// exist, arrays of different lengths, values that are not finite).
void validate(const Clip& clip, const Skeleton& skeleton, int shape_count, int control_count);

}  // namespace sinew
