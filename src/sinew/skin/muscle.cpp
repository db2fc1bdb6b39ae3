// SPDX-License-Identifier: Apache-2.0
#include "sinew/skin/muscle.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

void check_gain(const char* name, double gain) {
  if (std::fabs(gain) <= largest_muscle_gain) return;
  throw InputError(name, formatted("its gain is {}; it must be a number from {} to {}", gain,
                                   -largest_muscle_gain, largest_muscle_gain));
}

void check_direction(const char* name, const std::optional<Vec3>& direction) {
  if (!direction || (is_finite(*direction) && length(*direction) > 0)) return;
  throw InputError(name, "it must have a length");
}

}  // namespace

double bulge_profile(const Muscle& muscle, double e) {
  if (!muscle.profile.points.empty()) return evaluate(muscle.profile, e);
  if (!(e > 0 && e < 1)) return 0;
  const double bump = 4 * e * (1 - e);
  return bump * bump;
}

double bulge_side(const Muscle& muscle, double cosine) {
  if (!muscle.side) return 1;
  const double half = std::clamp((1 + cosine) / 2, 0.0, 1.0);
  return half * half;
}

void validate(const Muscle& muscle) {
  try {
    validate(muscle.profile);
  } catch (const InputError& error) {
    throw InputError("profile " + error.place(), error.problem());
  }
  check_gain("stretch", muscle.stretch);
  check_direction("side", muscle.side);
  if (!muscle.angle) return;
  const MuscleAngle& angle = *muscle.angle;
  check_gain("angle", angle.gain);
  check_direction("angle axis", angle.axis);
  const double least = angle.axis ? -180 : 0;
  const auto inside = [&](double degrees) { return degrees >= least && degrees <= 180; };
  if (inside(angle.start) && inside(angle.end) && angle.start != angle.end) return;
  throw InputError(
      "angle",
      formatted("from {} to {} degrees: they must differ and lie from {} to 180{}", angle.start,
                angle.end, least, angle.axis ? "" : "; below 0 takes an axis"));
}

}  // namespace sinew
