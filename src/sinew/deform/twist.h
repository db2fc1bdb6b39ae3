// SPDX-License-Identifier: Apache-2.0
// The twist of a joint that is handed on to bones.
#pragma once

#include <limits>

#include "sinew/core/quat.h"

namespace sinew {

// How much of a swing-twist decomposition's twist counts, by the angle of the swing. Near half a
// turn the twist is undefined: the least change of the pose turns it by any angle. So it counts in
// full up to a swing of 90 degrees, fades smoothly, and counts nothing from 150 degrees on.
// `closeness` is the cosine of half the swing, in [0, 1].
double twist_fade(double closeness);

// What no twist is known of yet.
inline constexpr double no_twist = std::numeric_limits<double>::quiet_NaN();

// The twist of `turn` about the unit vector `axis`, times twist_fade. `angle` carries the twist of
// a joint from one pose to the next, so that 179 degrees is followed by 181, not by -179, and two
// turns stay two turns; with no_twist it starts at the angle in (-180, 180]. Continuous in `turn`
// as long as poses follow each other closely. What the twist does while the swing is 150 degrees or
// more is not followed: `angle` stays, and a joint that swings all the way round, about an axis
// within 10 degrees of perpendicular, comes back without a turn.
double follow_twist(double& angle, const Quat& turn, const Vec3& axis);

// The equal of `angle` up to full turns that is nearest to `to`; `angle` itself for no_twist.
double nearest_turn(double angle, double to);

}  // namespace sinew
