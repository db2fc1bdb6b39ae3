// SPDX-License-Identifier: Apache-2.0
// Limits prepared for clamping in every iteration: sines and cosines are taken once.
#pragma once

#include <variant>

#include "sinew/motion/ik_limits.h"

namespace sinew::motion {

// The sine and cosine of half an angle in [-pi, pi].
struct HalfAngle {
  double sine = 0, cosine = 1;
};

// A range of angles about an axis.
struct TwistClamp {
  Vec3 axis;
  HalfAngle min, max;
};
// See ConeLimit.
struct ConeClamp {
  TwistClamp twist;
  HalfAngle swing;
};
// See HingeLimit.
struct HingeClamp {
  TwistClamp twist;
};
// One of the limits.
using JointClamp = std::variant<ConeClamp, HingeClamp, AxesLimit>;

// The range must be valid.
JointClamp clamp_of(const JointRange& range);

// As sinew::clamped().
Quat clamped(const Quat& turn, const JointClamp& clamp);

}  // namespace sinew::motion
