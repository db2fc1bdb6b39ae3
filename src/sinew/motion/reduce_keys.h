// SPDX-License-Identifier: Apache-2.0
// Leaves out keys that the keys around them imply.
#pragma once

#include "sinew/motion/curve.h"

namespace sinew {

// A part of the keys such that linear interpolation between them comes within `tolerance` of every
// key that was left out: radians for rotations, the curve's units otherwise. First and last key
// stay, and at least every 256th; a curve that is constant within the tolerance has one key. A
// tolerance of 0 leaves the curve as it is. Throws UsageError for a curve that is not linear or has
// not one value per key, and for a tolerance that is negative or NaN.
Curve<Vec3> reduce_keys(const Curve<Vec3>& curve, double tolerance);
Curve<Quat> reduce_keys(const Curve<Quat>& curve, double tolerance);

}  // namespace sinew
