// SPDX-License-Identifier: Apache-2.0
// Generalized bones (course notes, section 4; docs/sources.md): joints whose transform is computed
// from other joints or from free controls. Plain data, so that they can be stored in files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sinew/motion/clip.h"
#include "sinew/motion/curve.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {

// A free parameter to animate: breathing, a smile.
struct Control {
  std::string name;
  double default_value = 0;
  friend bool operator==(const Control&, const Control&) = default;
};

// The joint copies the fraction `share` of another joint's rotation relative to rest (a kneecap:
// 0.5). Shares outside [0, 1] extrapolate.
struct RotationShare {
  int source = 0;
  double share = 0.5;
  friend bool operator==(const RotationShare&, const RotationShare&) = default;
};

// Inputs of a driver. The angle in degrees by which a joint has turned from rest, in total (0 to
// 180) or, if `axis` is given (a unit vector in the joint's own frame), about that axis (-180 to
// 180). Or the value of a control.
struct AngleInput {
  JointIndex joint = 0;
  std::optional<Vec3> axis;
  friend bool operator==(const AngleInput&, const AngleInput&) = default;
};
// The value of a control.
struct ControlInput {
  int control = 0;
  friend bool operator==(const ControlInput&, const ControlInput&) = default;
};
// Either of the two.
using DriverInput = std::variant<AngleInput, ControlInput>;

// One component of the joint's transform follows an input through a curve whose "times" are the
// input's values. A translation is added to that of the rest transform, a rotation (in degrees,
// about `axis` in the joint's own frame) is applied before its rotation, a scale multiplies its
// scale. For translation and scale, `axis` weights x, y and z: (1,0,0) for x alone, (1,1,1) for
// all. A translation moves by value * axis, a scale multiplies by 1 + (value - 1) * axis.
struct Follow {
  // Which part of the transform.
  enum class Property { translation, rotation, scale };
  Property property = Property::scale;
  Vec3 axis{1, 1, 1};
  DriverInput input;
  Curve<double> curve;
  friend bool operator==(const Follow&, const Follow&) = default;
};

// A generalized bone: the joint that is computed, and how.
struct Driver {
  JointIndex joint = 0;
  std::variant<RotationShare, Follow> rule;
  friend bool operator==(const Driver&, const Driver&) = default;
};

// What a driver reads from a pose: degrees, or a control's value. Throws UsageError for a control
// that the pose does not have; whether the joint exists is not checked.
double input_value(const Skeleton& skeleton, const DriverInput& input, const Pose& pose);

// Throws InputError with the given `place` for an input that names a joint or control that does not
// exist, or whose axis has no length.
void validate(const DriverInput& input, const Skeleton& skeleton, int control_count,
              const std::string& place);

// The order in which to evaluate drivers, so that each one's inputs are computed before it. Throws
// InputError naming the joints of a cycle, or a joint or control that does not exist.
std::vector<int> driver_order(const Skeleton& skeleton, int control_count,
                              const std::vector<Driver>& drivers);

// Computes the driven joints' transforms in `pose` from the other joints and the controls. A driven
// joint starts from its rest transform; several drivers of one joint are applied in list order.
// `order` is driver_order(...), which also validates the drivers. Throws UsageError if the order
// and the drivers differ in length, the pose does not have one transform per joint, or it has too
// few controls.
void apply(const Skeleton& skeleton, const std::vector<Driver>& drivers, std::span<const int> order,
           Pose& pose);

}  // namespace sinew
