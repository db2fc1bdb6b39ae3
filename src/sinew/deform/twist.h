// SPDX-License-Identifier: Apache-2.0
// Twist angles of joints, unwrapped over time.
#pragma once

#include <limits>

#include "sinew/core/quat.h"

namespace sinew {

// The factor applied to the twist of a swing-twist decomposition, depending on the swing. Near a
// swing of half a turn the twist is ill-defined: a tiny change of the pose changes it by any angle.
// So the factor is 1 up to a swing of 90 degrees, then fades smoothly to 0 at 150 degrees.
// `closeness` is the cosine of half the swing, in [0, 1].
double twist_fade(double closeness);

// Initial value of an angle with no history.
inline constexpr double no_twist = std::numeric_limits<double>::quiet_NaN();

// The twist of `turn` about the unit vector `axis`, times twist_fade. `angle` carries a joint's
// unwrapped twist from one pose to the next, so that 179 degrees is followed by 181, not by -179,
// and two turns stay two turns. If it is no_twist, the twist starts in (-180, 180]. Continuous in
// `turn` as long as successive poses are close. While the swing is 150 degrees or more, `angle` is
// not updated, so a joint that swings all the way round, about an axis within 10 degrees of
// perpendicular, returns without an extra turn.
double follow_twist(double& angle, const Quat& turn, const Vec3& axis);

// `angle` plus the number of full turns that brings it nearest to `to`; `angle` itself if `to` is
// no_twist.
double nearest_turn(double angle, double to);

}  // namespace sinew
