// SPDX-License-Identifier: Apache-2.0
// What moves the helpers in each clip.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/bake/detail/split.h"
#include "sinew/rig/rig.h"

namespace sinew::baking {

struct TrackOptions {
  double move_tolerance = 0;           // how far keys may be off, as a length in world space
  std::span<const double> limb_reach;  // per bone of the rig: how far from its axis its skin goes
};

// The fewest keys, by halving, whose lines stay within the tolerance (a length, or radians) of the
// values at all `times`. One key where nothing changes.
Curve<Vec3> fit_keys(std::span<const double> times, std::span<const Vec3> values, double tolerance);
Curve<Quat> fit_keys(std::span<const double> times, std::span<const Quat> values, double tolerance);

// The clip of `rig` for the skeleton of `baked`: its channels, and tracks for the helpers. With
// `without_scale`, scale is taken off the joints of split bones and those above them; they, and all
// that inherited it, get tracks in place of theirs that keep every bone's head where it was and
// turned as it was. Driven joints get tracks in any case.
Clip bake_clip(const Rig& rig, const Clip& clip, const Rig& baked,
               std::span<const SplitBone> splits, bool without_scale, const TrackOptions& options);

}  // namespace sinew::baking
