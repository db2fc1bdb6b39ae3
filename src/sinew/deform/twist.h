// SPDX-License-Identifier: Apache-2.0
// The twist of a joint that is handed on to bones.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sinew/core/quat.h"

namespace sinew {

// How much of a swing-twist decomposition's twist counts, by the angle of the swing. Near half a
// turn the twist is undefined: the least change of the pose turns it by any angle. So it counts in
// full up to a swing of 90 degrees, fades smoothly, and counts nothing from 150 degrees on.
// `closeness` is the cosine of half the swing, in [0, 1].
double twist_fade(double closeness);

// Follows the twists of joints from one pose to the next, so that 179 degrees is followed by 181,
// not by -179, and two turns stay two turns. A fresh one starts at the angle in (-180, 180].
class TwistTracker {
 public:
  // The twist of `turn` about the unit vector `axis`, times twist_fade. Continuous in `turn` as
  // long as poses follow each other closely. What the twist does while the swing is 150 degrees or
  // more is not followed: a joint that swings all the way round, about an axis within 10 degrees of
  // perpendicular, comes back without a turn. `slot` numbers the joints.
  double follow(std::size_t slot, const Quat& turn, const Vec3& axis);

 private:
  std::vector<std::optional<double>> angles_;  // unwrapped, while the swing was last below 150
};

}  // namespace sinew
