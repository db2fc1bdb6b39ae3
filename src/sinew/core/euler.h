// SPDX-License-Identifier: Apache-2.0
// Euler angles in any of the six orders of three different axes.
#pragma once

#include "sinew/core/quat.h"

namespace sinew {

// The letters read from the outermost rotation to the innermost: `zxy` is Rz * Rx * Ry, the order
// of a BVH file whose channels are Zrotation Xrotation Yrotation.
enum class EulerOrder { xyz, xzy, yxz, yzx, zxy, zyx };

// The i-th axis of the order (0 = x, 1 = y, 2 = z), outermost first. Throws UsageError if i is not
// 0, 1 or 2.
int euler_axis(EulerOrder order, int i);

// `angles` are about x, y and z in radians, whatever the order.
Quat from_euler(const Vec3& angles, EulerOrder order);

// The angles about x, y and z with the middle one in [-pi/2, pi/2]; at a gimbal lock the innermost
// angle is 0.
Vec3 to_euler(const Quat& q, EulerOrder order);

}  // namespace sinew
