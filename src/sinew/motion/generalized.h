// SPDX-License-Identifier: Apache-2.0
// Generalized bones (seed 004, section 4): joints whose transform is computed from other joints or
// from free controls. Plain data, so that files can carry them.
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

// A free channel: breathing, a smile.
struct Control {
  std::string name;
  double default_value = 0;
  friend bool operator==(const Control&, const Control&) = default;
};

// The joint takes `share` of another joint's rotation away from its rest (a kneecap: 0.5). Shares
// outside [0, 1] extrapolate.
struct RotationShare {
  int source = 0;
  double share = 0.5;
  friend bool operator==(const RotationShare&, const RotationShare&) = default;
};

// Where a number comes from: the angle in degrees by which a joint has turned from its rest, in all
// (0 to 180) or about `axis` (a unit vector in the joint's own frame, -180 to 180); or a control.
struct AngleInput {
  int joint = 0;
  std::optional<Vec3> axis;
  friend bool operator==(const AngleInput&, const AngleInput&) = default;
};
// The value of a control.
struct ControlInput {
  int control = 0;
  friend bool operator==(const ControlInput&, const ControlInput&) = default;
};

// One component of the joint's transform follows an input through a curve whose "times" are the
// input's values: a translation is added to the rest's, a rotation (about `axis`, in degrees)
// follows it, a scale multiplies it. `axis` says how much of x, y and z: (1,0,0) for x alone,
// (1,1,1) for all; the amount moved along, or scaled along, each is the curve's value times it
// (for scale: 1 + (value - 1) times it). For a rotation it is the axis turned about.
struct Follow {
  // Which part of the transform.
  enum class Property { translation, rotation, scale };
  Property property = Property::scale;
  Vec3 axis{1, 1, 1};
  std::variant<AngleInput, ControlInput> input;
  Curve<double> curve;
  friend bool operator==(const Follow&, const Follow&) = default;
};

// A generalized bone: the joint that is computed, and how.
struct Driver {
  int joint = 0;
  std::variant<RotationShare, Follow> rule;
  friend bool operator==(const Driver&, const Driver&) = default;
};

// The order in which drivers are evaluated, so that what a driver reads is computed before it.
// Throws InputError naming the joints of a cycle, or the joint or control that does not exist.
std::vector<int> driver_order(const Skeleton& skeleton, int control_count,
                              const std::vector<Driver>& drivers);

// Computes the driven joints' transforms in `pose` from the others and from the controls. The
// driven joint starts from its rest; several drivers of one joint add up in list order. `order` is
// driver_order(...), which says whether the drivers are sound. Throws UsageError where the order
// has another length than the drivers, or the pose not one transform per joint or too few controls.
void apply(const Skeleton& skeleton, const std::vector<Driver>& drivers, std::span<const int> order,
           Pose& pose);

}  // namespace sinew
